/** An operator with a private interest in a company can't request changes either, because a colleague might approve them in good faith. */
import { ALL_ENDPOINTS } from '@portal/contract/all-endpoints.ts';
import type { Endpoint } from '@portal/contract/endpoint.ts';
import { memberships, operatorBankAccounts, operators, users } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { enrolOperator, readEnrolmentLink } from '../../testing/enrol-operator.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createIdempotencyHeaders } from '../../testing/take-advance.ts';
import { createConnectedTrader, createOperator, signUp, type Browser, type Trader } from '../../testing/test-trader.ts';
import { COMMAND_LINE, renameOperator } from '../operator-people/operator-accounts.ts';
import { NO_COMPANY } from '../audit/record-audit.ts';

const CONFLICT = 'operator.conflict_of_interest';

let portal: TestPortal;
let trader: Trader;
let member: Browser;
let otherBrowser: Browser;
beforeEach(() => portal.moveClock('2026-11-10T09:00:00.000Z'));
beforeAll(async () => {
  portal = await openTestPortal();
  trader = await createConnectedTrader(portal, 'owner@interest.example');
  member = await createOperator(portal, 'member@operators.example');
  otherBrowser = await createOperator(portal, 'other@operators.example');
  const row = { companyId: trader.companyId, role: 'trader_owner', createdAt: portal.deps.clock.now() } as const;
  await portal.deps.database.db.insert(memberships).values({ ...row, userId: await findUserId('member@operators.example') });
});
afterAll(() => portal.close());

const findUserId = async (email: string): Promise<string> => {
  const [user] = await portal.deps.database.db.select({ id: users.id }).from(users).where(eq(users.email, email));
  return user?.id ?? '';
};

const createId = () => crypto.randomUUID();
const reason = 'The bank confirmed it';

/** Valid input for every write that needs a role and concerns one company. */
const INPUTS: Readonly<Record<string, () => object>> = {
  '/operator/advance/decide': () => ({ advance_id: createId(), decision: 'approve', reason }),
  '/operator/advance/release': () => ({ advance_id: createId(), net_pence: 1, version: 1, bank_account_id: createId() }),
  '/operator/advance/retry-payout': () => ({ advance_id: createId(), reason }),
  '/operator/identity/verify': () => ({ user_id: createId(), full_name: 'Tess Trader', evidence: 'Passport seen on a video call' }),
  '/operator/exposure/limit': () => ({ limit_pence: 1_00, reason }),
  '/operator/vat-numbers/move': () => ({ reason }),
  '/operator/matters/allocate': () => ({ credit_id: createId(), allocations: [], reason }),
  '/operator/matters/record-return': () => ({ credit_id: createId(), return_reference: 'TL-1', reason }),
  '/operator/matters/pay-surplus': () => ({ amount_pence: 1, reason }),
  '/operator/matters/resolve-payout': () => ({ subject_id: createId(), as: 'other', reason }),
  '/operator/matters/resolve-collection-payout': () => ({ subject_id: createId(), as: 'to_us', reason }),
  '/operator/invoices/write-off': () => ({ invoice_id: createId(), reason }),
  '/operator/refunds': () => ({ invoice_id: createId(), total_pence: null, lines: null, reason }),
  '/operator/refunds/retry': () => ({ refund_id: createId(), reason }),
  '/operator/refunds/transfer': () => ({
    refund_id: createId(),
    amount_pence: 1,
    transferred_on: '2026-11-10',
    reference: 'REFUND 1',
    evidence: 'Our bank statement',
  }),
  '/operator/screening/decide': () => ({
    suspicion_id: createId(),
    decision: 'cleared',
    reason: 'Another person: the dates of birth differ',
  }),
  '/operator/shortfall/assign': () => ({ shortfall_id: createId(), owner_id: createId() }),
  '/operator/shortfall/claim': () => ({ shortfall_id: createId(), amount_pence: 1, reason }),
  '/operator/shortfall/close': () => ({ shortfall_id: createId(), reason }),
  '/operator/shortfall/answer-dispute': () => ({ shortfall_id: createId(), answer: reason }),
  '/operator/shortfall/retry-direct-debit': () => ({ shortfall_id: createId(), amount_pence: 1 }),
  '/operator/shortfall/write-off': () => ({ shortfall_id: createId(), reason }),
};

const requestLimit = (operator: Browser, limit_pence: number, { companyId }: Trader = trader) =>
  operator.post('/operator/exposure/limit', { company_id: companyId, limit_pence, reason });

describe('an operator who belongs to the company', () => {
  it.each(Object.keys(INPUTS))('can’t make the request %s', async (path) => {
    const response = await member.post(path, { company_id: trader.companyId, ...INPUTS[path]?.() }, createIdempotencyHeaders());
    expect([response.status, response.body['code']]).toEqual([403, CONFLICT]);
  });

  it('is rejected by every request that needs a role and names a company', () => {
    const endpoints = Object.values(ALL_ENDPOINTS).flatMap((subject) => Object.values(subject) as Endpoint[]);
    const paths = endpoints.flatMap(({ access, method, path, input }) =>
      method !== 'GET' && access.startsWith('operator.') && 'company_id' in (input as unknown as { shape: object }).shape ? [path] : [],
    );
    expect(Object.keys(INPUTS).toSorted()).toEqual(paths.toSorted());
  });
});

describe('an operator’s private bank account', () => {
  it('is recorded by the operator, encrypted, and blocks access to companies that use it', async () => {
    expect((await requestLimit(otherBrowser, 10_000_00)).status).toBe(200);
    const account = { sort_code: '20-00-00', account_number: '5577 9911' };
    expect((await otherBrowser.post('/operator/people/own-accounts', account)).status).toBe(200);
    expect((await otherBrowser.post('/operator/people/own-accounts', account)).status).toBe(200);
    const { body } = await otherBrowser.get('/operator/people/own-accounts');
    expect(body['accounts']).toMatchObject([{ account_end: '9911' }]);
    expect((await member.get('/operator/people/own-accounts')).body['accounts']).toEqual([]);
    const storedAccounts = await portal.deps.database.db.select().from(operatorBankAccounts);
    expect(JSON.stringify(storedAccounts)).not.toContain('55779911');
    expect((await requestLimit(otherBrowser, 11_000_00)).body).toMatchObject({
      code: CONFLICT,
      message: expect.stringContaining('paid into one of your bank accounts'),
    });
    expect((await trader.browser.post('/operator/people/own-accounts', account)).status).toBe(404);
    expect((await otherBrowser.post('/operator/people/own-accounts', { ...account, sort_code: '20' })).status).toBe(400);
  });
});

describe('an operator who closed the company’s account as its last owner', () => {
  it('can’t decide about the money that arrives afterwards', async () => {
    const closed = await createConnectedTrader(portal, 'closes@interest.example', null);
    const at = portal.deps.clock.now();
    const closer = await createOperator(portal, 'closer@operators.example');
    const membership = { companyId: closed.companyId, userId: await findUserId('closer@operators.example'), createdAt: at };
    await portal.deps.database.db.insert(memberships).values({ ...membership, role: 'trader_owner' });
    await closed.browser.post('/instant-vat/people/leave', { company_id: closed.companyId, confirmed: true });
    const closing = { company_id: closed.companyId, confirm_with: 'Tess Exports Ltd', confirmed: true };
    expect((await closer.post('/v2/company/close', closing)).status).toBe(200);
    expect((await requestLimit(closer, 12_000_00, closed)).body).toMatchObject({ code: CONFLICT });
  });
});

describe('a request', () => {
  it('ends with its requester’s access: a second operator can’t complete it alone', async () => {
    const { db } = portal.deps.database;
    const seller = await createConnectedTrader(portal, 'seller@interest.example');
    const formerOperator = await createOperator(portal, 'gone@operators.example');
    const { body } = await requestLimit(formerOperator, 12_000_00, seller);
    const decider = await createOperator(portal, 'decider@operators.example');
    const approve = () =>
      decider.post(
        '/operator/approvals/approve',
        { company_id: seller.companyId, request_id: body['request_id'] },
        createIdempotencyHeaders(),
      );
    const isGone = eq(operators.userId, await findUserId('gone@operators.example'));
    await db.update(operators).set({ disabledAt: portal.deps.clock.now() }).where(isGone);
    expect((await approve()).body['code']).toBe('approval.requester_gone');
    await db
      .update(operators)
      .set({ disabledAt: null, roles: ['support'] })
      .where(isGone);
    expect((await approve()).body['code']).toBe('approval.requester_gone');
    await db
      .update(operators)
      .set({ roles: ['administrator'] })
      .where(isGone);
    expect((await approve()).status).toBe(200);
  });

  it('doesn’t come back when its requester, whose account was stolen, is enrolled again', async () => {
    const email = 'stolen@operators.example';
    const seller = await createConnectedTrader(portal, 'thief@interest.example');
    const { body: theft } = await requestLimit(await createOperator(portal, email), 13_000_00, seller);
    const target = { user_id: await findUserId(email), reason };
    const honest = await createOperator(portal, 'honest@operators.example');
    expect((await otherBrowser.post('/operator/people/disable', target)).status).toBe(200);
    const { body: renewal } = await otherBrowser.post('/operator/people/link', target);
    const approve = (company_id: string, request_id: unknown) =>
      honest.post('/operator/approvals/approve', { company_id, request_id }, createIdempotencyHeaders());
    expect((await approve(NO_COMPANY, renewal['request_id'])).status).toBe(200);
    await portal.runJobs();
    await enrolOperator(portal, readEnrolmentLink(portal, email));
    expect((await approve(seller.companyId, theft['request_id'])).body['code']).toBe('approval.already_decided');
  });
});

describe('an operator who has left the company', () => {
  it('still can’t decide about it', async () => {
    const left = await createConnectedTrader(portal, 'left@interest.example');
    const leaver = await createOperator(portal, 'leaver@operators.example');
    const row = { companyId: left.companyId, role: 'trader_owner', createdAt: portal.deps.clock.now() } as const;
    await portal.deps.database.db.insert(memberships).values({ ...row, userId: await findUserId('leaver@operators.example') });
    expect((await requestLimit(leaver, 1_00, left)).body['code']).toBe(CONFLICT);
    expect((await leaver.post('/instant-vat/people/leave', { company_id: left.companyId, confirmed: true })).status).toBe(200);
    const response = await requestLimit(leaver, 1_00, left);
    expect(response.body).toMatchObject({ code: CONFLICT, message: 'You used to belong to this company. Ask another operator to decide.' });
  });
});

describe('an operator’s name', () => {
  it('is the one that two administrators approved, not the one that an older account gave itself', async () => {
    const company = await createConnectedTrader(portal, 'namesakes-company@interest.example');
    const email = 'namesake@operators.example';
    await signUp(portal, email, { fullName: 'Xavier Other' });
    const invitation = { email, full_name: company.fullName, roles: ['administrator'], reason };
    const { body } = await otherBrowser.post('/operator/people/invite', invitation);
    const approval = { company_id: NO_COMPANY, request_id: body['request_id'] };
    expect((await member.post('/operator/approvals/approve', approval, createIdempotencyHeaders())).status).toBe(200);
    await portal.runJobs();
    const { person: namesake } = await enrolOperator(portal, readEnrolmentLink(portal, email));
    // New operators can't decide before the next working day has passed.
    portal.moveClock('2026-11-12T09:00:00.000Z');
    expect((await requestLimit(namesake, 14_000_00, company)).body['message']).toContain('Someone at this company has your name.');
    expect((await requestLimit(namesake, 14_000_00, company)).body['code']).toBe(CONFLICT);
    const renamed = await namesake.post('/instant-vat/steps/about', { full_name: 'Xavier Other' });
    expect(renamed).toMatchObject({ status: 400, body: { message: { full_name: expect.stringContaining('Operators') } } });
    expect((await requestLimit(namesake, 14_000_00, company)).body['code']).toBe(CONFLICT);
    expect((await namesake.post('/instant-vat/steps/about', { full_name: company.fullName, phone: '07700 900123' })).status).toBe(200);
    const namesakeId = await findUserId(email);
    await portal.deps.database.db.transaction((tx) => renameOperator(portal.deps, tx, COMMAND_LINE, namesakeId, 'Xavier Other'));
    expect((await requestLimit(namesake, 14_000_00, company)).status).toBe(200);
  });
});

describe('an operator’s private address', () => {
  it('still counts once the account that has it leaves the company', async () => {
    const company = await createConnectedTrader(portal, 'partner@interest.example');
    const { browser } = await signUp(portal, 'home@interest.example', { fullName: 'Another Name' });
    const row = { companyId: company.companyId, role: 'trader_owner', createdAt: portal.deps.clock.now() } as const;
    await portal.deps.database.db.insert(memberships).values({ ...row, userId: await findUserId('home@interest.example') });
    const operator = await createOperator(portal, 'hidden@operators.example');
    await portal.deps.database.db
      .update(operators)
      .set({ privateEmail: 'home@interest.example' })
      .where(eq(operators.userId, await findUserId('hidden@operators.example')));
    expect((await requestLimit(operator, 1_00, company)).body['code']).toBe(CONFLICT);
    expect((await browser.post('/instant-vat/people/leave', { company_id: company.companyId, confirmed: true })).status).toBe(200);
    expect((await requestLimit(operator, 1_00, company)).body['code']).toBe(CONFLICT);
  });
});
