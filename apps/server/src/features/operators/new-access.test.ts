/** Tests that two administrators can't use accounts of their own as further people: new access waits, and every operator learns of it. */
import { accountCredits, users } from '@portal/db/schema/schema.ts';
import type { OperatorRole } from '@portal/domain/identity/operator-roles.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readBank } from '../../testing/bank-polls.ts';
import { enrolOperator, readEnrolmentLink } from '../../testing/enrol-operator.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import {
  acceptAdvance,
  createIdempotencyHeaders,
  createTraderWithFiledReturn,
  findAdvance,
  postApproval,
} from '../../testing/take-advance.ts';
import { createOperator, type Browser } from '../../testing/test-trader.ts';
import { NO_COMPANY } from '../audit/record-audit.ts';
import { COMMAND_LINE, setRoles } from '../operator-people/operator-accounts.ts';

// A Tuesday.
const NOW = '2026-11-10T09:00:00.000Z';
const reason = 'New colleague';

let portal: TestPortal;
let first: Browser;
let second: Browser;
let helper: Browser;
beforeAll(async () => {
  portal = await openTestPortal({ at: NOW });
  first = await createOperator(portal, 'first@firm.example', ['administrator']);
  second = await createOperator(portal, 'second@firm.example', ['administrator']);
  helper = await createOperator(portal, 'helper@firm.example', ['support']);
});
beforeEach(() => {
  portal.moveClock(NOW);
  portal.sentEmails.length = 0;
});
afterAll(() => portal.close());

const approve = (operator: Browser, company_id: string, request_id: unknown) =>
  operator.post('/operator/approvals/approve', { company_id, request_id }, createIdempotencyHeaders());

/** The first administrator asks, the second approves. */
async function giveAccess(path: string, input: object): Promise<void> {
  const { body } = await first.post(path, { ...input, reason });
  expect((await approve(second, NO_COMPANY, body['request_id'])).status).toBe(200);
  await portal.runJobs();
}

async function invite(email: string, roles: readonly OperatorRole[]): Promise<Browser> {
  await giveAccess('/operator/people/invite', { email, full_name: 'Pip New', roles });
  return (await enrolOperator(portal, readEnrolmentLink(portal, email))).person;
}

async function findUserId(email: string): Promise<string> {
  const [user] = await portal.deps.database.db.select({ id: users.id }).from(users).where(eq(users.email, email));
  return user?.id ?? '';
}

let credits = 0;

/** Requests a decision about a new payment on our own account. Returns the id of the request, or the code of the error. */
async function requestResolution(operator: Browser): Promise<unknown> {
  const { sort_code: sortCode, account_number: accountNumber } = portal.bank.payingAccount();
  credits += 1;
  const credit = { amountPence: 1_000 + credits, remitterName: 'Tidewater Ltd', reference: `FUNDING ${credits}` };
  portal.bank.creditAccount({ sortCode, accountNumber, ...credit });
  await readBank(portal);
  const [row] = await portal.deps.database.db.select().from(accountCredits).where(eq(accountCredits.reference, credit.reference));
  const { body } = await operator.post('/operator/matters/resolve-account-credit', { subject_id: row?.id, as: 'own_money', reason });
  return body['code'] ?? body['request_id'];
}

const listRecipients = (subject: string) => portal.sentEmails.filter((email) => email.subject.includes(subject)).map(({ to }) => to);

describe('an operator whom two administrators have just added', () => {
  it('can’t approve a refund until a whole working day has passed', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'friend@new-access.example', 12_000);
    await acceptAdvance(portal, trader);
    const { advance_id, state } = await findAdvance(trader);
    expect(state).toBe('in_review');
    const puppet = await invite('puppet@firm.example', ['underwriter', 'finance']);
    const refused = await postApproval(puppet, trader, advance_id);
    expect([refused.status, refused.body['code']]).toEqual([403, 'operator.access_new']);
    expect(refused.body['message']).toContain('12 November 2026');
    portal.moveClock('2026-11-11T20:00:00.000Z');
    expect((await postApproval(puppet, trader, advance_id)).body['code']).toBe('operator.access_new');
    portal.moveClock('2026-11-12T09:00:00.000Z');
    expect((await postApproval(puppet, trader, advance_id)).status).toBe(200);
  });

  it('can’t be the second person for a request about money either', async () => {
    const finance = await createOperator(portal, 'fay@firm.example', ['finance']);
    const request_id = await requestResolution(finance);
    const puppet = await invite('approver@firm.example', ['finance']);
    expect((await approve(puppet, NO_COMPANY, request_id)).body['code']).toBe('operator.access_new');
    portal.moveClock('2026-11-12T09:00:00.000Z');
    expect((await approve(puppet, NO_COMPANY, request_id)).status).toBe(200);
  });

  it('can’t decide as an administrator about limits, prices and codes, but about operators', async () => {
    const today = '2026-11-10';
    const terms = { kind: 'percent', value: 100, months: null, tiers: [], partners: [], starts_on: today, ends_on: null };
    const code = { ...terms, code: 'PUPPET', max_uses: null, max_uses_per_practice: 1, reason };
    const { body } = await first.post('/operator/promotion-codes', code);
    const puppet = await invite('administrator@firm.example', ['administrator']);
    expect((await approve(puppet, NO_COMPANY, body['request_id'])).body['code']).toBe('operator.access_new');
    const limit = { company_id: null, limit_pence: 900_000_000, reason };
    expect((await puppet.post('/operator/exposure/limit', limit)).body['code']).toBe('operator.access_new');
    await createOperator(portal, 'stolen@firm.example', ['support']);
    const user_id = await findUserId('stolen@firm.example');
    expect((await puppet.post('/operator/people/end-sessions', { user_id })).status).toBe(200);
    portal.moveClock('2026-11-12T09:00:00.000Z');
    expect((await approve(puppet, NO_COMPANY, body['request_id'])).status).toBe(200);
  });

  it('is announced to every operator, who can have them disabled by one administrator, and that is announced too', async () => {
    await invite('announced@firm.example', ['releaser']);
    expect(listRecipients('change requested')).toContain('helper@firm.example');
    expect(listRecipients('Operators’ access: Pip New')).toContain('helper@firm.example');
    const email = portal.sentEmails.findLast(({ to }) => to === 'helper@firm.example');
    expect(email?.text).toContain('12 November 2026');
    expect(email?.text).toContain('tell an administrator who took no part in it');
    const { people } = (await helper.get('/operator/people')).body as { people: { email: string; decides_from: string | null }[] };
    const findDay = (address: string) => people.find((person) => person.email === address)?.decides_from;
    expect([findDay('announced@firm.example'), findDay('first@firm.example')]).toEqual(['2026-11-12', null]);
    portal.sentEmails.length = 0;
    expect((await second.post('/operator/people/disable', { user_id: await findUserId('announced@firm.example') })).status).toBe(200);
    await portal.runJobs();
    expect(listRecipients('Operators’ access')).toEqual(
      expect.arrayContaining(['helper@firm.example', 'first@firm.example', 'announced@firm.example']),
    );
    expect(listRecipients('Operators’ access')).not.toContain('second@firm.example');
  });
});

describe('a change of roles', () => {
  it('waits if it adds a role, and not if it only removes one', async () => {
    const finance = await createOperator(portal, 'mona@firm.example', ['finance', 'support']);
    const user_id = await findUserId('mona@firm.example');
    await giveAccess('/operator/people/roles', { user_id, roles: ['finance'] });
    expect(await requestResolution(finance)).toEqual(expect.any(String));
    await giveAccess('/operator/people/roles', { user_id, roles: ['finance', 'releaser'] });
    expect(await requestResolution(finance)).toBe('operator.access_new');
  });

  it('made on the command line has no wait', async () => {
    const finance = await createOperator(portal, 'cli@firm.example', ['support']);
    const user_id = await findUserId('cli@firm.example');
    await portal.deps.database.db.transaction((tx) => setRoles(portal.deps, tx, COMMAND_LINE, user_id, ['finance']));
    expect(await requestResolution(finance)).toEqual(expect.any(String));
  });
});
