/** A VAT number that a former accountant connected is moved to the business by two operators, and only if no refund was sold with it. */
import { advances, companies, filings, hmrcConnections, memberships, users, vrnClaims } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createIdempotencyHeaders, fileReturn, findAdvance, postAccept } from '../../testing/take-advance.ts';
import { authorisePortal, createConnectedTrader, createOperator, signUp, type Browser, type Trader } from '../../testing/test-trader.ts';

let portal: TestPortal;
let requester: Browser;
let approver: Browser;
let holder: Trader;
let owner: Browser;
let ownCompanyId: string;
let number = 0;
const getDb = () => portal.deps.database.db;

beforeAll(async () => {
  portal = await openTestPortal();
  requester = await createOperator(portal, 'requester@operators.example', ['administrator']);
  approver = await createOperator(portal, 'approver@operators.example', ['administrator']);
});
afterAll(() => portal.close());

beforeEach(async () => {
  number += 1;
  holder = await createConnectedTrader(portal, `accountant-${number}@former.example`);
  ({ browser: owner } = await signUp(portal, `owner-${number}@business.example`));
  const form = { name: 'Tess Exports Ltd', company_number: '09482716', vrn: holder.vrn };
  ownCompanyId = String((await owner.post('/instant-vat/steps/company', form)).body['company_id']);
});

const request = (operator = requester) =>
  operator.post('/operator/vat-numbers/move', { company_id: ownCompanyId, reason: 'Ticket 4811: they left this accountant' });
const approve = (requestId: unknown, operator = approver) =>
  operator.post('/operator/approvals/approve', { company_id: holder.companyId, request_id: requestId }, createIdempotencyHeaders());
const getHolderOfPage = async () =>
  ((await requester.get('/operator/company', { company_id: ownCompanyId })).body['company'] as Record<string, unknown>)['vrn_holder'];
const connect = () => authorisePortal(portal, owner, ownCompanyId, holder.hmrcUserId);
const findUserId = async (email: string): Promise<string> => {
  const [user] = await getDb().select({ id: users.id }).from(users).where(eq(users.email, email));
  return user?.id ?? '';
};
const listClaims = () => getDb().select({ companyId: vrnClaims.companyId }).from(vrnClaims).where(eq(vrnClaims.vrn, holder.vrn));

it('moves the number once two operators agree; the former account can’t take it back, and both are emailed', async () => {
  await fileReturn(portal, holder);
  expect(await findAdvance(holder)).toMatchObject({ state: 'quoted' });
  expect(await connect()).toContain('outcome=vrn_claimed');
  expect(await getHolderOfPage()).toMatchObject({ company_id: holder.companyId });
  const { status, body } = await request();
  expect(status).toBe(200);
  expect((await approve(body['request_id'], requester)).status).toBe(409);
  const { requests } = (await approver.get('/operator/approvals')).body as { requests: { description: string }[] };
  const description = /^Moves VAT number .+ from Tess Exports Ltd \(added .+\) to Tess Exports Ltd \(added .+\)\./;
  expect(requests).toContainEqual(expect.objectContaining({ description: expect.stringMatching(description) }));
  expect(await listClaims()).toEqual([{ companyId: holder.companyId }]);
  expect((await approve(body['request_id'])).status).toBe(200);
  expect(await listClaims()).toEqual([{ companyId: ownCompanyId }]);
  expect(await getHolderOfPage()).toBeNull();
  const [ended] = await getDb().select().from(hmrcConnections).where(eq(hmrcConnections.companyId, holder.companyId));
  expect(ended).toMatchObject({ status: 'lapsed', endReason: 'vat_number_moved', accessToken: null, refreshToken: null });
  const [offer] = await getDb().select({ state: advances.state }).from(advances).where(eq(advances.companyId, holder.companyId));
  expect(offer).toEqual({ state: 'withdrawn' });
  expect(await authorisePortal(portal, holder.browser, holder.companyId, holder.hmrcUserId)).toContain('outcome=vrn_claimed');
  expect(await connect()).toContain('outcome=connected');
  await portal.runJobs();
  const subjects = (to: string) => portal.sentEmails.filter((email) => email.to === to).map(({ subject }) => subject);
  expect(subjects(`accountant-${number}@former.example`)).toContainEqual(expect.stringContaining('the connection to HMRC has ended'));
  expect(subjects(`owner-${number}@business.example`)).toContainEqual(expect.stringContaining('you can connect HMRC now'));
});

it('is free again if the owner corrects the VAT number instead of connecting', async () => {
  expect((await approve((await request()).body['request_id'])).status).toBe(200);
  const other = await createConnectedTrader(portal, `other-${number}@business.example`);
  const correction = { company_id: ownCompanyId, name: 'Tess Exports Ltd', company_number: '09482716', vrn: other.vrn };
  expect((await owner.post('/instant-vat/steps/company', correction)).status).toBe(200);
  expect(await listClaims()).toEqual([]);
});

describe('it isn’t moved', () => {
  it('by an operator who belongs to either company', async () => {
    const [requesterId, approverId] = [await findUserId('requester@operators.example'), await findUserId('approver@operators.example')];
    const join = (userId: string, companyId: string) =>
      getDb().insert(memberships).values({ userId, companyId, role: 'trader_owner', createdAt: portal.deps.clock.now() });
    const leave = (userId: string) => getDb().delete(memberships).where(eq(memberships.userId, userId));
    await join(requesterId, holder.companyId);
    expect((await request()).body['code']).toBe('operator.conflict_of_interest');
    await leave(requesterId);
    const { body } = await request();
    await join(requesterId, ownCompanyId);
    expect((await approve(body['request_id'])).body['code']).toBe('approval.requester_gone');
    await leave(requesterId);
    await join(approverId, ownCompanyId);
    expect((await approve(body['request_id'])).body['code']).toBe('operator.conflict_of_interest');
    await leave(approverId);
    expect(await listClaims()).toEqual([{ companyId: holder.companyId }]);
  });

  it('after the other company has changed its VAT number or isn’t blocked any more', async () => {
    const { body } = await request();
    await getDb().update(companies).set({ vrn: '193054661' }).where(eq(companies.id, ownCompanyId));
    expect((await approve(body['request_id'])).body['code']).toBe('vat_number.changed');
    expect((await request()).body['code']).toBe('vat_number.changed');
    expect(await listClaims()).toEqual([{ companyId: holder.companyId }]);
  });

  it('once the holder has accepted an early refund, which could otherwise be sold twice', async () => {
    const { body } = await request();
    await fileReturn(portal, holder);
    expect((await postAccept(holder)).status).toBe(200);
    expect((await approve(body['request_id'])).body['code']).toBe('vat_number.refund_accepted');
    expect((await request()).body['code']).toBe('vat_number.refund_accepted');
    expect(await listClaims()).toEqual([{ companyId: holder.companyId }]);
  });

  it('while the holder is filing a return', async () => {
    const { body } = await request();
    await fileReturn(portal, holder);
    await getDb().update(filings).set({ state: 'unknown' }).where(eq(filings.companyId, holder.companyId));
    expect((await approve(body['request_id'])).body['code']).toBe('vat_number.filing');
    expect((await request()).body['code']).toBe('vat_number.filing');
  });
});
