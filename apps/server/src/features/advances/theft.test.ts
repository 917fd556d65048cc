/**
 * Tests attempts to be paid twice, without entitlement, or by one operator alone: races, forged webhooks, impossible amounts, repeated
 * claims, and one person with two operator accounts.
 */
import { operators as operatorRows, payouts, users } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { getPayoutReference } from '@portal/domain/advances/payout-reference.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { NO_COMPANY } from '../audit/record-audit.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { pollPayouts, readBank } from '../../testing/bank-polls.ts';
import { createOperatorPair, type OperatorPair } from '../../testing/operator-pair.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { findCase } from '../../testing/short-refund.ts';
import {
  acceptAdvance,
  confirmCollection,
  createIdempotencyHeaders,
  createPaidTrader,
  createTraderWithFiledReturn,
  findAdvance,
  getTrialBalance,
  postAccept,
  waitForState,
} from '../../testing/take-advance.ts';
import { createOperator, type Trader } from '../../testing/test-trader.ts';
import { WAIT_OPTIONS } from '../../testing/wait-options.ts';

let portal: TestPortal;
let operators: OperatorPair;
beforeAll(async () => {
  portal = await openTestPortal();
  operators = await createOperatorPair(portal);
});
afterAll(() => portal.close());

const countPayouts = async ({ companyId }: Trader) =>
  (await portal.deps.database.db.select().from(payouts).where(eq(payouts.companyId, companyId))).length;

describe('a trader who withdraws and confirms at the same moment', () => {
  it.each([4_501, 4_502, 4_503])('is either paid or withdrawn (refund of £%i)', async (refundPounds) => {
    const trader = await createTraderWithFiledReturn(portal, `race-${refundPounds}@theft.example`, refundPounds);
    const { advance_id } = await acceptAdvance(portal, trader);
    const ids = { company_id: trader.companyId, advance_id };
    const withdraw = () => trader.browser.post('/instant-vat/advance/withdraw', ids, createIdempotencyHeaders());
    const confirm = () => trader.browser.post('/instant-vat/advance/confirm-collection-account', ids);
    await Promise.all([confirm(), withdraw(), postAccept(trader), portal.runJobs(), withdraw()]);
    await portal.runJobs();
    const { state, net_pence } = await findAdvance(trader);
    const payoutsAtBank = portal.bank.listPayouts().filter(({ amount_pence }) => amount_pence === net_pence).length;
    expect([state === 'withdrawn' ? 0 : 1, await countPayouts(trader)]).toEqual([payoutsAtBank, payoutsAtBank]);
  });
});

describe('a forged webhook', () => {
  it('is rejected by every provider’s endpoint, and changes nothing', async () => {
    const trader = await createPaidTrader(portal, 'forged@theft.example', 4_504);
    const [payout] = await portal.deps.database.db.select().from(payouts).where(eq(payouts.companyId, trader.companyId));
    const before = await getTrialBalance(portal, trader.companyId);
    const failedEvent = {
      type: 'payout_failed',
      event_id: crypto.randomUUID(),
      payout_id: payout?.providerPayoutId,
      failure_reason: 'blocked',
    };
    const responses = await Promise.all(
      (
        [
          ['truelayer', failedEvent, { 'tl-signature': 'e30..e30', 'x-tl-webhook-timestamp': portal.deps.clock.now() }],
          ['truelayer', failedEvent, {}],
          ['gocardless', { events: [{ id: 'EV1', action: 'charged_back', resource_type: 'payments', links: { payment: 'PM1' } }] }, {}],
          ['identity-check', { type: 'identity.verification_session.verified', data: { object: { id: 'vs_1' } } }, {}],
        ] satisfies [string, object, Record<string, string>][]
      ).map(([provider, payload, headers]) =>
        portal.app.inject({
          method: 'POST',
          url: `/portal/webhooks/${provider}`,
          payload: JSON.stringify(payload),
          headers: { 'content-type': 'application/json', ...headers },
        }),
      ),
    );
    for (const { statusCode } of responses) expect([400, 401, 403, 498]).toContain(statusCode);
    expect(await getTrialBalance(portal, trader.companyId)).toEqual(before);
    expect((await findAdvance(trader)).state).toBe('awaiting_hmrc');
  });
});

describe('an administrator who invites three accounts of their own', () => {
  it('gets none of them without another administrator’s approval, and the large refund stays unpaid', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'friend@theft.example', 26_000);
    const advance = await acceptAdvance(portal, trader);
    const admin = await createOperator(portal, 'inside@theft.example', ['administrator']);
    const reason = 'New colleague';
    for (const [name, role] of Object.entries({ one: 'underwriter', two: 'releaser', three: 'releaser' })) {
      const email = `${name}@inside.example`;
      const { body } = await admin.post('/operator/people/invite', { email, full_name: `Pip ${name}`, roles: [role], reason });
      const request = { company_id: NO_COMPANY, request_id: body['request_id'] };
      expect((await admin.post('/operator/approvals/approve', request, createIdempotencyHeaders())).body['code']).toBe(
        'approval.wrong_person',
      );
    }
    await portal.runJobs();
    const invitedOperators = await portal.deps.database.db
      .select({ email: users.email })
      .from(operatorRows)
      .innerJoin(users, eq(users.id, operatorRows.userId));
    expect(JSON.stringify([invitedOperators, portal.sentEmails.map(({ to }) => to)])).not.toContain('@inside.example');
    const decision = { company_id: trader.companyId, advance_id: advance.advance_id, decision: 'approve', reason };
    expect((await admin.post('/operator/advance/decide', decision, createIdempotencyHeaders())).body['code']).toBe('operator.role_missing');
    expect(await countPayouts(trader)).toBe(0);
  });
});

describe('an impossible amount', () => {
  it.each([-1, 0.5, 2 ** 53, 1e300, Number.NaN])('%d is rejected wherever an operator enters one', async (amount) => {
    const { olga } = operators;
    const [company_id, reason] = [crypto.randomUUID(), 'Because'];
    const ids = { advance_id: crypto.randomUUID(), credit_id: crypto.randomUUID(), shortfall_id: crypto.randomUUID() };
    const allocations = [{ advance_id: ids.advance_id, amount_pence: amount }];
    const responses = [
      await olga.post('/operator/exposure/limit', { company_id: null, limit_pence: amount, reason }),
      await olga.post('/operator/matters/pay-surplus', { company_id, amount_pence: amount, reason }),
      await olga.post('/operator/matters/allocate', { company_id, credit_id: ids.credit_id, allocations, reason }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([400, 400, 400]);
  });
});

describe('HMRC’s repayment that two operators call the trader’s', () => {
  it('is paid to the trader only with a third person, who sees who decided', async () => {
    const { olga, omar, allocate, approve, resolve, sendCredit } = operators;
    const otis = await createOperator(portal, 'otis@operators.example');
    const trader = await createPaidTrader(portal, 'two@theft.example', 4_507);
    const company_id = trader.companyId;
    await sendCredit(trader, 450_700, { remitterName: 'HMRC VAT', reference: trader.vrn });
    await waitForState(trader, 'settled');
    const { credits } = (await olga.get('/operator/credits', { company_id })).body as { credits: { credit_id: string }[] };
    await resolve(trader, allocate(olga, trader, credits[0]?.credit_id ?? '', [{ advance_id: null, amount_pence: 450_700 }]));
    const order = { company_id, amount_pence: 450_700, reason: 'Theirs' };
    for (const [requester, approver] of [
      [olga, omar],
      [omar, olga],
    ] as const) {
      const { body } = await requester.post('/operator/matters/pay-surplus', order);
      expect((await approve(approver, trader, body['request_id'])).body['code']).toBe('approval.third_person');
      const { requests } = (await approver.get('/operator/approvals')).body as { requests: { request_id: string }[] };
      expect(requests.find(({ request_id }) => request_id === body['request_id'])).toMatchObject({
        can_decide: true,
        can_approve: false,
        description: expect.stringMatching(/ and .* decided that this money is the trader’s, so one of the two people who pay it must/),
      });
      await requester.post('/operator/approvals/withdraw', { company_id, request_id: body['request_id'] });
    }
    expect(await countPayouts(trader)).toBe(1);
    const { body } = await omar.post('/operator/matters/pay-surplus', order);
    expect((await approve(otis, trader, body['request_id'])).status).toBe(200);
    expect(await countPayouts(trader)).toBe(2);
  });

  it('can be paid by two people who decided about different parts of it, even if everyone has decided about one', async () => {
    const { olga, omar, allocate, approve, sendCredit, waitForException } = operators;
    const otto = await createOperator(portal, 'otto@operators.example');
    const trader = await createPaidTrader(portal, 'parts@theft.example', 4_511);
    const company_id = trader.companyId;
    for (const [amount, approver] of [
      [7_000, omar],
      [8_000, otto],
    ] as const) {
      await sendCredit(trader, amount);
      const credit = await waitForException(trader, 'credit', amount);
      const { body } = await allocate(olga, trader, credit.subject_id, [{ advance_id: null, amount_pence: amount }]);
      expect((await approve(approver, trader, body['request_id'])).status).toBe(200);
    }
    const order = { company_id, amount_pence: 15_000, reason: 'Theirs' };
    for (const together of [omar, otto]) {
      const { body } = await olga.post('/operator/matters/pay-surplus', order);
      expect((await approve(together, trader, body['request_id'])).body['code']).toBe('approval.third_person');
      await olga.post('/operator/approvals/withdraw', { company_id, request_id: body['request_id'] });
    }
    const { body } = await omar.post('/operator/matters/pay-surplus', order);
    expect((await approve(otto, trader, body['request_id'])).status).toBe(200);
  });

  it('no longer counts once everything that we owed has been paid, so three people never run out of pairs', async () => {
    const { olga, omar, allocate, approve, sendCredit, waitForException } = operators;
    const otis = await createOperator(portal, 'otis.again@operators.example');
    const trader = await createPaidTrader(portal, 'pairs@theft.example', 4_512);
    const company_id = trader.companyId;
    const pairs = [
      [olga, omar, otis],
      [omar, otis, olga],
      [otis, olga, omar],
      [olga, omar, otis],
    ] as const;
    for (const [index, [requester, approver, third]] of pairs.entries()) {
      portal.moveClock(addMilliseconds(portal.deps.clock.now(), 60_000));
      const amount = 9_000 + index;
      await sendCredit(trader, amount);
      const credit = await waitForException(trader, 'credit', amount);
      const decision = await allocate(requester, trader, credit.subject_id, [{ advance_id: null, amount_pence: amount }]);
      expect((await approve(approver, trader, decision.body['request_id'])).status).toBe(200);
      const { body } = await requester.post('/operator/matters/pay-surplus', { company_id, amount_pence: amount, reason: 'Theirs' });
      expect((await approve(approver, trader, body['request_id'])).body['code']).toBe('approval.third_person');
      expect((await approve(third, trader, body['request_id'])).body).toEqual({ done: true });
      await portal.runJobs();
      await vi.waitFor(async () => {
        await pollPayouts(portal);
        expect(await operators.listExceptions(trader)).toEqual([]);
      }, WAIT_OPTIONS);
    }
  });

  it('is refused if both payers decided it after the payment was requested', async () => {
    const { olga, omar, allocate, approve, resolve, sendCredit, waitForException } = operators;
    const trader = await createPaidTrader(portal, 'later@theft.example', 4_508);
    await sendCredit(trader, 450_800 + 1_000, { remitterName: 'HMRC VAT', reference: trader.vrn });
    await waitForException(trader, 'surplus', 1_000);
    const order = { company_id: trader.companyId, amount_pence: 1_000, reason: 'HMRC’s interest' };
    const { body } = await olga.post('/operator/matters/pay-surplus', order);
    await sendCredit(trader, 7_000);
    const credit = await waitForException(trader, 'credit', 7_000);
    await resolve(trader, allocate(olga, trader, credit.subject_id, [{ advance_id: null, amount_pence: 7_000 }]));
    expect((await approve(omar, trader, body['request_id'])).body['code']).toBe('approval.third_person');
  });
});

describe('a penny that two operators call the payout of a refund', () => {
  it('doesn’t let them pay the rest of an unapproved refund, because they decided that we owe it', async () => {
    const { olga, omar, approve, resolve, waitForException } = operators;
    const otis = await createOperator(portal, 'otis.penny@operators.example');
    const trader = await createTraderWithFiledReturn(portal, 'penny@theft.example', 26_100);
    const company_id = trader.companyId;
    const { net_pence, period_end } = await acceptAdvance(portal, trader);
    await confirmCollection(portal, trader);
    portal.bank.payFromConsole({
      fromAccountId: portal.bank.payingAccount().id,
      amountPence: 1,
      to: { name: 'Mallory', sortCode: '200000', accountNumber: '55779912' },
      reference: getPayoutReference(trader.vrn, plainDate(period_end)),
    });
    await readBank(portal);
    const penny = await waitForException(trader, 'unrecorded_payout', 1);
    const resolution = { company_id, subject_id: penny.subject_id, as: 'advance', reason: 'Seen in the console' };
    await resolve(trader, olga.post('/operator/matters/resolve-payout', resolution));
    await pollPayouts(portal);
    await waitForState(trader, 'awaiting_hmrc');
    await waitForException(trader, 'surplus', net_pence - 1);
    const order = { company_id, amount_pence: net_pence - 1, reason: 'The rest' };
    const { body } = await olga.post('/operator/matters/pay-surplus', order);
    expect((await approve(omar, trader, body['request_id'])).body['code']).toBe('approval.third_person');
    expect((await approve(otis, trader, body['request_id'])).body).toEqual({ done: true });
  });
});

describe('a refund that is claimed twice', () => {
  it('is owed twice in the ledger too, after the payment in between was reversed', async () => {
    const { olga, omar, allocate, resolve, sendCredit } = operators;
    const trader = await createPaidTrader(portal, 'claims@theft.example', 4_505);
    portal.hmrc.amendReturn(trader.vrn, trader.obligation.periodKey, 0);
    await trader.browser.post('/instant-vat/hmrc/refresh', { company_id: trader.companyId });
    const { shortfall_id, reference } = await findCase(trader);
    const claim = { company_id: trader.companyId, shortfall_id, amount_pence: 450_500, reason: 'HMRC’s letter' };
    // If two operators claim the shortfall at the same time, it is claimed only once.
    await Promise.all(
      [olga, omar].map((operatorBrowser) => operatorBrowser.post('/operator/shortfall/claim', claim, createIdempotencyHeaders())),
    );
    expect(await getTrialBalance(portal, trader.companyId)).toMatchObject({ due_from_trader: 450_500 });
    await sendCredit(trader, 450_500, { reference });
    await waitForState(trader, 'settled');
    const { credits } = (await olga.get('/operator/credits', { company_id: trader.companyId })).body as {
      credits: { credit_id: string }[];
    };
    await resolve(trader, allocate(olga, trader, credits[0]?.credit_id ?? '', []));
    expect(await getTrialBalance(portal, trader.companyId)).toMatchObject({ refunds_receivable: 450_500, owed_to_trader: -450_500 });
    expect((await olga.post('/operator/shortfall/claim', claim, createIdempotencyHeaders())).status).toBe(200);
    const after = await getTrialBalance(portal, trader.companyId);
    expect(after).toMatchObject({ due_from_trader: 450_500 });
    expect(after).not.toHaveProperty('refunds_receivable');
  });
});
