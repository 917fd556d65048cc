/** Changing prices and promotion codes takes two operators, and published prices never change. */
import { auditEntries, priceListDrafts, promotionCodes } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addPractice, type TestPractice } from '../../testing/add-practice.ts';
import { addPriceList } from '../../testing/add-price-list.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createIdempotencyHeaders } from '../../testing/take-advance.ts';
import { createOperator, type ApiResponse, type Browser } from '../../testing/test-trader.ts';
import { NO_COMPANY } from '../audit/record-audit.ts';

let portal: TestPortal;
let olga: Browser;
let omar: Browser;
let practice: TestPractice;
let today: PlainDate;

beforeAll(async () => {
  portal = await openTestPortal();
  await addPriceList(portal);
  olga = await createOperator(portal, 'olga@prices.example', ['administrator']);
  omar = await createOperator(portal, 'omar@prices.example', ['administrator']);
  practice = await addPractice(portal);
  today = portal.deps.clock.today();
});
afterAll(() => portal.close());
beforeEach(async () => {
  await portal.deps.database.db.delete(priceListDrafts);
});

const reason = 'Agreed by the board';
const decide = (operator: Browser, requestResponse: ApiResponse, decision: 'approve' | 'reject') =>
  operator.post(
    `/operator/approvals/${decision}`,
    { company_id: NO_COMPANY, request_id: requestResponse.body['request_id'], ...(decision === 'reject' ? { reason } : {}) },
    createIdempotencyHeaders(),
  );

const makeDraft = () => ({
  mode: 'volume',
  effective_from: today,
  tiers: [
    { name: 'Free', from: 0, to: 20, base_pence: 0, unit_price_pence: 0, included: 20 },
    { name: 'All', from: 21, to: null, base_pence: 20_00, unit_price_pence: 1_00, included: 20 },
  ],
});
const getPrice = async () =>
  (await practice.admin.get('/open-tax/calculate-pricing', { company_id: practice.companyId, no_selected_connections: '60' })).body;

describe('a price list', () => {
  it('applies once a second operator has approved it, with both names on record, and the lists before it stay', async () => {
    expect((await olga.post('/operator/price-lists/draft', makeDraft())).body).toEqual({ problems: [] });
    const before = (await olga.get('/operator/price-lists')).body as { lists: { version: number }[] };
    const response = await olga.post('/operator/price-lists/publish', { reason });
    expect(response.status).toBe(200);
    expect((await decide(olga, response, 'approve')).body['code']).toBe('approval.wrong_person');
    expect(await getPrice()).toMatchObject({ version: 1 });
    expect((await decide(omar, response, 'approve')).status).toBe(200);
    // 20 are included and 40 more cost £1 each, plus 20% VAT.
    expect(await getPrice()).toMatchObject({ version: 2, tier_name: 'All', net_pence: 60_00, total_pence: 72_00 });
    const after = (await olga.get('/operator/price-lists')).body as { lists: { version: number }[]; draft: unknown };
    expect(after.draft).toBeNull();
    expect(after.lists.find(({ version }) => version === 1)).toEqual({ ...before.lists[0], is_current: false });
    const [entry] = await portal.deps.database.db.select().from(auditEntries).where(eq(auditEntries.action, 'price_list.published'));
    expect(entry).toMatchObject({ subject: 'price_list 2', after: expect.objectContaining({ requested_by: expect.any(String) }) });
  });

  it('can’t be published while its prices aren’t multiples of 5p, or its first day has passed', async () => {
    const draft = { ...makeDraft(), effective_from: addDays(today, -1) };
    const [freeTier, all] = draft.tiers;
    const response = await olga.post('/operator/price-lists/draft', {
      ...draft,
      tiers: [freeTier, { ...all, base_pence: 25_00, unit_price_pence: 1_01 }],
    });
    expect(response.body).toEqual({
      problems: ['All: prices must be multiples of 5p.', 'A price list can’t take effect before it’s published.'],
    });
    expect(await olga.post('/operator/price-lists/publish', { reason })).toMatchObject({
      status: 422,
      body: { code: 'price_list.invalid' },
    });
  });

  it('is published as it was requested, even if the draft changes, and stays unpublished if it is rejected', async () => {
    await olga.post('/operator/price-lists/draft', makeDraft());
    const response = await olga.post('/operator/price-lists/publish', { reason });
    const { body } = await omar.get('/operator/approvals');
    expect(JSON.stringify(body)).toContain(
      'All (21 connections or more) £20.00 with 20 included, plus £1.00 for each additional one. All connections have the price of the tier reached.',
    );
    const version = (await getPrice())['version'];
    expect((await decide(omar, response, 'reject')).status).toBe(200);
    expect(await getPrice()).toMatchObject({ version });
  });

  it('can be drafted by administrators only', async () => {
    const support = await createOperator(portal, 'support@prices.example', ['support']);
    expect((await support.post('/operator/price-lists/draft', makeDraft())).status).toBe(403);
    expect((await support.get('/operator/price-lists')).status).toBe(200);
  });
});

const makeCode = (code: string, change: object = {}) => ({
  code,
  kind: 'percent',
  value: 10,
  months: 3,
  tiers: [],
  partners: [],
  starts_on: today,
  ends_on: null,
  max_uses: 5,
  max_uses_per_practice: 1,
  reason,
  ...change,
});

const tryCode = async (code: string) =>
  (
    await practice.admin.get('/open-tax/calculate-pricing', {
      company_id: practice.companyId,
      no_selected_connections: '60',
      promotion_code: code,
    })
  ).body;

describe('a promotion code', () => {
  it('can be used once a second operator has approved it, until someone ends it', async () => {
    const response = await olga.post('/operator/promotion-codes', makeCode('winter26'));
    expect(response.status).toBe(200);
    expect(await tryCode('winter26')).toMatchObject({ code: 'promotion.unknown' });
    expect((await decide(omar, response, 'approve')).status).toBe(200);
    expect(await tryCode('winter26')).toMatchObject({ promotion: { promotion_code: 'WINTER26', months: 3 } });
    expect((await olga.post('/operator/promotion-codes/end', { code: 'WINTER26', reason })).status).toBe(200);
    expect(await tryCode('winter26')).toMatchObject({ code: 'promotion.expired' });
    const { body } = await olga.get('/operator/promotion-codes');
    expect((body['codes'] as { code: string }[]).find(({ code }) => code === 'WINTER26')).toMatchObject({ uses: 0, status: 'ended' });
  });

  it('is approved with everything that decides what it costs us', async () => {
    const terms = { kind: 'free_months', value: 24, months: null, max_uses: null, max_uses_per_practice: 100 };
    const response = await olga.post('/operator/promotion-codes', makeCode('ENDLESS', terms));
    const { requests } = (await omar.get('/operator/approvals')).body as { requests: { request_id: string; description: string }[] };
    const description = requests.find(({ request_id: id }) => id === response.body['request_id'])?.description;
    expect(description).toMatch(/24 free months, from .*, for any number of practices, 100 uses for each practice\.$/);
    expect((await decide(omar, response, 'reject')).status).toBe(200);
  });

  it.each([
    ['value', { value: 101 }],
    ['ends_on', { ends_on: '2020-01-01' }],
    ['tiers', { tiers: ['Gold'] }],
    ['partners', { partners: ['nobody'] }],
    ['code', { code: 'WELCOME25' }],
    ['months', { kind: 'free_months', value: 2 }],
  ])('is rejected with the field %s named', async (field, change) => {
    const response = await olga.post('/operator/promotion-codes', makeCode('NEWCODE', change));
    expect(response.status).toBe(400);
    expect(JSON.stringify(response.body)).toContain(field);
    expect(await portal.deps.database.db.select().from(promotionCodes).where(eq(promotionCodes.code, 'NEWCODE'))).toEqual([]);
  });
});
