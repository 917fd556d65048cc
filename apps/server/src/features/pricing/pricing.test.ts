/** Tests a practice's selected connections and their price. The arithmetic itself is tested in domain/pricing. */
import { randomUUID } from 'node:crypto';
import { clientAuthorisations, clientRows, clients, companies, promotionCodes, promotionRedemptions } from '@portal/db/schema/schema.ts';
import { runInScope } from '@portal/db/tenant-scope.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import type { Authorisation } from '@portal/domain/authorisations/describe-authorisation.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addClient, addPractice, type TestPractice } from '../../testing/add-practice.ts';
import { addPriceList } from '../../testing/add-price-list.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createBrowser } from '../../testing/test-trader.ts';
import { redeemPromotion } from './redeem-promotion.ts';

let portal: TestPortal;
let practice: TestPractice;

beforeAll(async () => {
  portal = await openTestPortal();
  await addPriceList(portal);
});
afterAll(() => portal.close());
beforeEach(async () => {
  practice = await addPractice(portal);
});

const get = (path: string, query: Record<string, string> = {}) =>
  practice.admin.get(`/open-tax/${path}`, { company_id: practice.companyId, ...query });
const select = (isSelected: boolean, connections?: readonly { client_id: string; tax: Tax }[]) =>
  practice.admin.post('/open-tax/pricing-connections', { company_id: practice.companyId, selected: isSelected, connections });
const countSelected = async () => (await get('calculate-pricing')).body['no_selected_connections'];

const getDb = () => portal.deps.database.db;

/** Adds a client that is authorised for VAT at HMRC and has an imported PAYE statement. */
async function addLinkedClient(name: string): Promise<string> {
  const id = await addClient(portal, practice.companyId, { name, taxes: ['vat', 'paye', 'ct'] });
  await getDb().insert(clientAuthorisations).values({ companyId: practice.companyId, clientId: id, tax: 'vat', status: 'authorised' });
  await changeRow(id, { readTaxes: ['vat', 'paye'] });
  return id;
}
const changeRow = (id: string, set: Partial<typeof clientRows.$inferInsert>) =>
  getDb().update(clientRows).set(set).where(eq(clientRows.clientId, id));
const setAuthorisation = (id: string, status: Authorisation) =>
  getDb().update(clientAuthorisations).set({ status }).where(eq(clientAuthorisations.clientId, id));

describe('connections', () => {
  it('are the clients and taxes that HMRC has authorised or statements were imported for', async () => {
    const id = await addLinkedClient('Alder');
    await addClient(portal, practice.companyId, { name: 'Not checked', taxes: ['vat', 'sa'] });
    expect((await get('pricing-connections')).body).toEqual({
      connections: [
        { client_id: id, name: 'Alder', tax: 'paye', linked: true, selected: false },
        { client_id: id, name: 'Alder', tax: 'vat', linked: true, selected: false },
      ],
      taxes: [
        { tax: 'vat', linked: 1, selected: 0 },
        { tax: 'paye', linked: 1, selected: 0 },
        { tax: 'ct', linked: 0, selected: 0 },
        { tax: 'sa', linked: 0, selected: 0 },
      ],
      count: 2,
      no_selected_connections: 0,
      next_cursor: null,
    });
  });

  it('can be searched and filtered by tax, and all matching a filter selected or deselected at once', async () => {
    await addLinkedClient('Alder');
    await addLinkedClient('Birch');
    const foundBody = (await get('pricing-connections', { q: 'aLD', tax: 'vat' })).body;
    expect(foundBody).toMatchObject({ count: 1, connections: [{ name: 'Alder', tax: 'vat' }] });
    const selectAll = (isSelected: boolean, filter: object) =>
      practice.admin.post('/open-tax/pricing-connections', { company_id: practice.companyId, selected: isSelected, ...filter });
    expect((await selectAll(true, { tax: 'paye' })).body).toEqual({ no_selected_connections: 2 });
    expect((await selectAll(true, { q: 'birch' })).body).toEqual({ no_selected_connections: 3 });
    expect((await selectAll(false, { q: 'birch', tax: 'paye' })).body).toEqual({ no_selected_connections: 2 });
    expect((await selectAll(true, { q: '%' })).body).toEqual({ no_selected_connections: 2 });
  });

  it.each(['not_started', 'link_sent', 'expired', 'revoked', 'suspended'] as const)('aren’t linked while HMRC says %s', async (status) => {
    await setAuthorisation(await addLinkedClient('Alder'), status);
    expect((await get('pricing-connections')).body['taxes']).toContainEqual({ tax: 'vat', linked: 0, selected: 0 });
  });

  it('follow one rule in lists and in the triggers that count them', async () => {
    const id = await addLinkedClient('Alder');
    for (const change of [
      { status: 'active' as const },
      { status: 'inactive' as const },
      { hasVat: false },
      { readTaxes: [] },
      { hasSa: true },
    ]) {
      await changeRow(id, change);
      const foundRows = await getDb().execute(
        sql`select tax from unnest(array['vat', 'paye', 'ct', 'sa']) tax where is_connection_linked(${practice.companyId}, ${id}, tax) order by tax`,
      );
      const listedConnections = (await get('pricing-connections')).body['connections'] as { tax: string }[];
      expect((foundRows as unknown as { rows: { tax: string }[] }).rows.map(({ tax }) => tax)).toEqual(
        listedConnections.map(({ tax }) => tax),
      );
      await changeRow(id, { status: 'active', hasVat: true, readTaxes: ['vat', 'paye'] });
    }
  });

  it('are listed one page at a time', async () => {
    for (const name of ['Alder', 'Birch', 'Cedar']) await addLinkedClient(name);
    const names: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await get('pricing-connections', { limit: '4', ...(cursor === '' ? {} : { cursor }) });
      names.push(...(body['connections'] as { name: string; tax: string }[]).map(({ name, tax }) => `${name} ${tax}`));
      cursor = body['next_cursor'] as string | null;
    }
    expect(names).toEqual(['Alder paye', 'Alder vat', 'Birch paye', 'Birch vat', 'Cedar paye', 'Cedar vat']);
    expect((await get('pricing-connections', { cursor: 'made up' })).status).toBe(400);
  });

  it('can be selected all at once or by name, and deselected', async () => {
    const [alderId] = [await addLinkedClient('Alder'), await addLinkedClient('Birch')];
    expect((await select(true)).body).toEqual({ no_selected_connections: 4 });
    expect((await select(true)).body).toEqual({ no_selected_connections: 4 });
    expect((await select(false, [{ client_id: alderId, tax: 'vat' }])).body).toEqual({ no_selected_connections: 3 });
    expect((await select(true, [{ client_id: alderId, tax: 'vat' }])).body).toEqual({ no_selected_connections: 4 });
    expect((await select(false)).body).toEqual({ no_selected_connections: 0 });
  });

  it('can’t be selected while they aren’t linked, and then the whole request is rejected', async () => {
    const alderId = await addLinkedClient('Alder');
    const response = await select(true, [
      { client_id: alderId, tax: 'vat' },
      { client_id: alderId, tax: 'ct' },
    ]);
    expect([response.status, response.body['code']]).toEqual([422, 'pricing.not_linked']);
    const otherClient = await addClient(portal, (await addPractice(portal)).companyId);
    expect((await select(true, [{ client_id: otherClient, tax: 'vat' }])).body['code']).toBe('pricing.not_linked');
    expect(await countSelected()).toBe(0);
  });

  it('are counted as links end and resume, and as clients leave', async () => {
    const [alderId, birch] = [await addLinkedClient('Alder'), await addLinkedClient('Birch')];
    await select(true);
    await setAuthorisation(alderId, 'revoked');
    expect(await countSelected()).toBe(3);
    expect((await get('pricing-connections')).body['connections']).toContainEqual({
      client_id: alderId,
      name: 'Alder',
      tax: 'vat',
      linked: false,
      selected: true,
    });
    await setAuthorisation(alderId, 'expiring');
    expect(await countSelected()).toBe(4);
    await changeRow(birch, { status: 'inactive' });
    expect(await countSelected()).toBe(2);
    await changeRow(birch, { status: 'active' });
    await changeRow(birch, { hasPaye: false });
    expect(await countSelected()).toBe(3);
    await getDb().delete(clientAuthorisations).where(eq(clientAuthorisations.clientId, birch));
    expect(await countSelected()).toBe(2);
    await getDb()
      .delete(clients)
      .where(and(eq(clients.companyId, practice.companyId), eq(clients.id, alderId)));
    expect(await countSelected()).toBe(0);
  });

  it('are counted correctly when many change at the same moment', async () => {
    const ids: string[] = [];
    for (let place = 0; place < 12; place += 1) ids.push(await addLinkedClient(`Client ${place}`));
    await select(true);
    await Promise.all([
      ...ids.slice(0, 6).map((id) => setAuthorisation(id, 'revoked')),
      ...ids.slice(6).map((id) => select(false, [{ client_id: id, tax: 'paye' }])),
      select(true, [{ client_id: ids[11] ?? '', tax: 'vat' }]),
    ]);
    expect(await countSelected()).toBe(12);
    const countedRows = await getDb().execute(
      sql`select count(*)::int as linked from selected_connections s where company_id = ${practice.companyId} and linked`,
    );
    expect((countedRows as unknown as { rows: unknown[] }).rows).toEqual([{ linked: 12 }]);
  });
});

describe('prices', () => {
  it('are public: the tiers for new customers', async () => {
    const { body } = await createBrowser(portal).get('/open-tax/tire-pricing-data');
    expect(body).toMatchObject({ version: 1, mode: 'volume', vat_rate_bps: 2000 });
    expect((body['tiers'] as unknown[])[1]).toEqual({
      name: 'Starter',
      from: 11,
      to: 50,
      base_pence: 1500,
      unit_price_pence: 120,
      included: 10,
    });
  });

  it('show the tier of the selection or of another number, and the next one', async () => {
    expect((await get('current-pricing-tier')).body).toMatchObject({ no_selected_connections: 0, tier: { name: 'Free' } });
    const response = await get('current-pricing-tier', { no_selected_connections: '50' });
    expect(response.body).toMatchObject({ tier: { name: 'Starter' }, next_tier: { name: 'Practice', from: 51 } });
    expect((await get('current-pricing-tier', { no_selected_connections: '251' })).body).toMatchObject({ next_tier: null });
  });

  it('have a line for base, connections and VAT, and the day of renewal', async () => {
    portal.moveClock('2027-01-31T12:00:00Z');
    expect((await get('calculate-pricing', { no_selected_connections: '30' })).body).toEqual({
      version: 1,
      tier_name: 'Starter',
      no_selected_connections: 30,
      lines: [
        { kind: 'base', quantity: null, amount_pence: 1500 },
        { kind: 'connections', quantity: 20, amount_pence: 2400 },
        { kind: 'vat', quantity: null, amount_pence: 780 },
      ],
      net_pence: 3900,
      vat_rate_bps: 2000,
      vat_pence: 780,
      total_pence: 4680,
      renews_on: '2027-02-28',
      promotion: null,
      change: null,
      ends_promotion_code: null,
    });
  });

  it.each([
    ['tier_name', { tier_name: 'Platinum' }, 'Choose one of these tiers: Free, Starter, Practice, Firm'],
    ['tier_name', { tier_name: 'firm' }, 'Firm is for 251 connections or more. For 30 connections, choose Starter'],
    ['tier_name', { tier_name: 'Free' }, 'Free is for 0 to 10 connections. For 30 connections, choose Starter'],
    ['no_selected_connections', { no_selected_connections: '-1' }, 'Enter 0 connections or more'],
    ['no_selected_connections', { no_selected_connections: '1.5' }, 'Enter a whole number of connections'],
    ['no_selected_connections', { no_selected_connections: '100001' }, 'Enter at most 100000 connections'],
  ])('need a valid %s', async (field, query, message) => {
    const response = await get('calculate-pricing', { no_selected_connections: '30', ...query });
    expect([response.status, response.body['message']]).toEqual([400, { [field]: message }]);
  });

  it('are visible to admins only', async () => {
    const response = await practice.member.get('/open-tax/calculate-pricing', { company_id: practice.companyId });
    expect(response.status).toBe(404);
  });
});

describe('promotion codes', () => {
  /** Adds a promotion code for one test. */
  async function addCode(facts: Partial<typeof promotionCodes.$inferInsert> = {}): Promise<string> {
    const code = `CODE-${randomUUID()}`.toUpperCase();
    const startsOn = plainDate('2020-01-01');
    await getDb()
      .insert(promotionCodes)
      .values({ code, kind: 'percent', value: 25, months: 3, startsOn, ...facts });
    return code;
  }
  const preview = (code: string) => get('calculate-pricing', { no_selected_connections: '30', promotion_code: code });
  const redeemCode = (code: string, companyId = practice.companyId) =>
    runInScope({ kind: 'tenant', tenantId: companyId, actorId: practice.adminId }, () =>
      getDb().transaction((tx) =>
        redeemPromotion(tx, code, {
          companyId,
          partner: 'organic',
          tierName: 'Starter',
          today: portal.deps.clock.today(),
          redeemedAt: portal.deps.clock.now(),
        }),
      ),
    );

  it('reduce the price, in upper or lower case, and show what a month costs afterwards', async () => {
    const code = await addCode();
    const { body } = await preview(` ${code.toLowerCase()} `);
    expect(body['lines']).toContainEqual({ kind: 'discount', quantity: null, amount_pence: -975 });
    expect(body).toMatchObject({ total_pence: 3510, promotion: { promotion_code: code, months: 3, then_total_pence: 4680 } });
  });

  it.each<[string, Partial<typeof promotionCodes.$inferInsert>]>([
    ['promotion.not_started', { startsOn: plainDate('2099-01-01') }],
    ['promotion.expired', { endsOn: plainDate('2020-01-31') }],
    ['promotion.used_up', { maxUses: 1, uses: 1 }],
    ['promotion.wrong_tier', { tiers: ['Firm'] }],
    ['promotion.unknown', { partners: ['nomi'] }],
  ])('are rejected as %s', async (reason, facts) => {
    const response = await preview(await addCode(facts));
    expect([response.status, response.body['code']]).toEqual([422, reason]);
  });

  it('are rejected if they don’t exist, and after the practice has used them', async () => {
    expect((await preview('NO-SUCH-CODE')).body['code']).toBe('promotion.unknown');
    const code = await addCode();
    await redeemCode(code);
    expect((await preview(code)).body['code']).toBe('promotion.already_used');
    await expect(redeemCode(code)).rejects.toMatchObject({ code: 'promotion.already_used' });
  });

  it('are for practices that their partner referred', async () => {
    const code = await addCode({ partners: ['nomi'] });
    await getDb().update(companies).set({ partner: 'nomi' }).where(eq(companies.id, practice.companyId));
    expect((await preview(code)).status).toBe(200);
  });

  it('aren’t used up by previews', async () => {
    const code = await addCode({ maxUses: 1 });
    for (let time = 0; time < 3; time += 1) expect((await preview(code)).status).toBe(200);
    await redeemCode(code);
    expect((await getDb().select().from(promotionCodes).where(eq(promotionCodes.code, code)))[0]?.uses).toBe(1);
  });

  it('aren’t used if the transaction that redeems them fails', async () => {
    const code = await addCode({ maxUses: 1 });
    const failingTransaction = getDb().transaction(async (tx) => {
      const today = portal.deps.clock.today();
      await redeemPromotion(tx, code, {
        companyId: practice.companyId,
        partner: 'organic',
        tierName: 'Starter',
        today,
        redeemedAt: portal.deps.clock.now(),
      });
      throw new RangeError('the card was declined');
    });
    await expect(failingTransaction).rejects.toThrow('declined');
    expect((await preview(code)).status).toBe(200);
  });

  it('with 5 uses are redeemed exactly 5 times by 200 practices at the same moment', async () => {
    const code = await addCode({ maxUses: 5 });
    const ids = Array.from({ length: 200 }, () => randomUUID());
    const createdAt = portal.deps.clock.now();
    await getDb()
      .insert(companies)
      .values(ids.map((id) => ({ id, kind: 'practice' as const, name: 'Practice', createdAt })));
    const outcomes = await Promise.allSettled(ids.map((id) => redeemCode(code, id)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [(outcome.reason as { code?: string }).code] : []));
    expect(new Set(refusals)).toEqual(new Set(['promotion.used_up']));
    expect(await getDb().select().from(promotionRedemptions).where(eq(promotionRedemptions.code, code))).toHaveLength(5);
  });
});
