import { filings } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { eq, sql } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createConnectedTrader, signUp, type Trader } from '../../testing/test-trader.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { WAIT_OPTIONS } from '../../testing/wait-options.ts';
import { resolveFiling } from './resolve-filing.ts';
import { waitForFilingOutcomes } from './store-filing-outcome.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

const getReturn = (trader: Trader) =>
  trader.browser.get('/instant-vat/vat-return', { company_id: trader.companyId, obligation_id: trader.obligation.id });

async function submitReturn(trader: Trader, key: string = crypto.randomUUID()) {
  const { body } = await getReturn(trader);
  return trader.browser.post(
    '/instant-vat/vat-return/file',
    {
      company_id: trader.companyId,
      obligation_id: trader.obligation.id,
      // A filed return doesn't have a version to file, but a second tab still sends the one it saw.
      figures_version: body['figures_version'] ?? 'seen before',
      declaration_accepted: true,
    },
    { 'idempotency-key': key },
  );
}

const countAcceptedAtHmrc = (trader: Trader) =>
  portal.hmrc.listReturns(trader.vrn).reduce((sum, { timesAccepted }) => sum + timesAccepted, 0);

/** Makes the database reject this outcome. The returned `stop` ends this, or limits it to rows that also meet a condition. */
async function failStoring(state: string) {
  const { db } = portal.deps.database;
  const refuse = (condition: string) =>
    db.execute(
      sql.raw(`create or replace function refuse_outcome() returns trigger language plpgsql as $$ begin
        if new.state = '${state}' and old.receipt is null ${condition} then raise exception 'disk full'; end if; return new; end $$`),
    );
  await refuse('');
  await db.execute(
    sql.raw('create or replace trigger refuse_outcome before update on filings for each row execute function refuse_outcome()'),
  );
  return { stop: (stillRefused = 'and false') => refuse(stillRefused) };
}

describe('filing a return', () => {
  it('sends the nine boxes from the books, stores the receipt and waits until HMRC lists it', async () => {
    const trader = await createConnectedTrader(portal, 'files@trader.example');
    const previousResponse = await getReturn(trader);
    expect(previousResponse.body).toMatchObject({
      boxes: { box4_pence: 400_000, box5_pence: 400_000, box6_pounds: 50_000, direction: 'repayment' },
    });
    const filedResponse = await submitReturn(trader);
    expect(filedResponse.status).toBe(200);
    expect(filedResponse.body).toMatchObject({
      obligation: { state: 'filed_awaiting_hmrc' },
      receipt: { source: 'answer', filed_by: trader.fullName },
    });
    expect(String((filedResponse.body['receipt'] as Record<string, unknown>)['form_bundle_number'])).toMatch(/^\d{12}$/);
    expect(countAcceptedAtHmrc(trader)).toBe(1);
  });

  it('sends the return once for a second click, a second tab and a repeated key', async () => {
    const trader = await createConnectedTrader(portal, 'clicks@trader.example');
    const responses = await Promise.all([
      submitReturn(trader, 'same-key-1'),
      submitReturn(trader, 'same-key-1'),
      submitReturn(trader),
      submitReturn(trader),
    ]);
    // The later of two requests with the same key gets 409, because the first is still being processed.
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 409]);
    expect(responses.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'idempotency.in_progress' });
    expect(countAcceptedAtHmrc(trader)).toBe(1);
  });

  it('finds the return at HMRC after a lost response, and never sends it again', async () => {
    const trader = await createConnectedTrader(portal, 'lost@trader.example');
    portal.faults.set({ operation: 'hmrc.submit_return', kind: 'timeout_after_work', times: 1 });
    const filedResponse = await submitReturn(trader);
    expect(filedResponse.body).toMatchObject({ obligation: { state: 'outcome_unknown' } });
    expect((await submitReturn(trader)).body).toMatchObject({ obligation: { state: 'outcome_unknown' } });
    const resolvedResponse = await trader.browser.post('/instant-vat/vat-return/resolve', {
      company_id: trader.companyId,
      obligation_id: trader.obligation.id,
    });
    expect(resolvedResponse.body).toMatchObject({ obligation: { state: 'filed_awaiting_hmrc' }, receipt: { source: 'read_back' } });
    expect(countAcceptedAtHmrc(trader)).toBe(1);
  });

  it('treats the attempt of a dead process as unknown, and allows filing once HMRC confirms that it has no return', async () => {
    const trader = await createConnectedTrader(portal, 'died@trader.example');
    portal.faults.set({ operation: 'hmrc.submit_return', kind: 'too_many', times: 1 });
    await submitReturn(trader);
    // The state that a killed process leaves behind: stored as being sent, by a process that no longer runs.
    await portal.deps.database.db
      .update(filings)
      .set({ state: 'sending', instanceId: 'a-dead-run', refusal: null, settledAt: null, callDeadlineAt: portal.deps.wallClock.now() })
      .where(eq(filings.companyId, trader.companyId));
    expect((await getReturn(trader)).body).toMatchObject({ obligation: { state: 'outcome_unknown' } });
    const person = {
      actor: { userId: crypto.randomUUID(), email: '', fullName: '', isOperator: false, signInMethod: 'link', role: 'trader_owner' },
      caller: { ip: '198.51.100.7', port: 4711, userAgent: '', deviceId: undefined, device: undefined },
    } as const;
    await resolveFiling(portal.deps, person, { companyId: trader.companyId, practiceId: null }, trader.obligation.id);
    expect((await getReturn(trader)).body).toMatchObject({
      obligation: { state: 'ready' },
      refusal: expect.stringContaining('didn’t receive'),
    });
    expect((await submitReturn(trader)).body).toMatchObject({ obligation: { state: 'filed_awaiting_hmrc' } });
    expect(countAcceptedAtHmrc(trader)).toBe(1);
  });

  it('keeps HMRC’s receipt while the database fails, and stores it as soon as it recovers', async () => {
    const trader = await createConnectedTrader(portal, 'database@trader.example');
    const storeFailure = await failStoring('accepted');
    const response = await submitReturn(trader);
    expect(response).toMatchObject({ status: 503, body: { code: 'return.answer_not_stored' } });
    expect(response.body['message']).toContain('HMRC accepted your return');
    expect((await getReturn(trader)).body).toMatchObject({ obligation: { state: 'filing' } });
    await storeFailure.stop();
    // A shutdown waits for it too.
    await waitForFilingOutcomes(WAIT_OPTIONS.timeout);
    expect((await getReturn(trader)).body).toMatchObject({
      obligation: { state: 'filed_awaiting_hmrc' },
      receipt: { source: 'answer', form_bundle_number: expect.stringMatching(/^\d{12}$/) },
    });
    expect(countAcceptedAtHmrc(trader)).toBe(1);
  });

  it('proves the filing by HMRC’s copy if the process ended first, and a late receipt still completes it', async () => {
    const trader = await createConnectedTrader(portal, 'ended@trader.example');
    const storeFailure = await failStoring('accepted');
    await submitReturn(trader);
    // The call's time is up, but the process that made it is still running.
    await portal.deps.database.db
      .update(filings)
      .set({ callDeadlineAt: addMilliseconds(portal.deps.wallClock.now(), -1) })
      .where(eq(filings.companyId, trader.companyId));
    expect((await getReturn(trader)).body).toMatchObject({ obligation: { state: 'outcome_unknown' } });
    await storeFailure.stop('and new.receipt is not null');
    const ids = { company_id: trader.companyId, obligation_id: trader.obligation.id };
    const resolvedResponse = await trader.browser.post('/instant-vat/vat-return/resolve', ids);
    expect(resolvedResponse.body).toMatchObject({ receipt: { source: 'read_back', form_bundle_number: null } });
    await storeFailure.stop();
    await vi.waitFor(async () => {
      expect((await getReturn(trader)).body).toMatchObject({ receipt: { source: 'answer', form_bundle_number: expect.any(String) } });
    }, WAIT_OPTIONS);
    expect(countAcceptedAtHmrc(trader)).toBe(1);
  });

  it.each([
    ['too_many', 'too busy'],
    ['server_error', undefined],
  ] as const)('explains a %s from HMRC', async (kind, text) => {
    const trader = await createConnectedTrader(portal, `${kind}@trader.example`);
    portal.faults.set({ operation: 'hmrc.submit_return', kind, times: 1 });
    const { body } = await submitReturn(trader);
    if (text === undefined) expect(body).toMatchObject({ obligation: { state: 'outcome_unknown' } });
    else expect(body).toMatchObject({ obligation: { state: 'ready' }, refusal: expect.stringContaining(text) });
  });

  it('rejects figures that have changed since they were shown, and files nothing', async () => {
    const trader = await createConnectedTrader(portal, 'changed@trader.example');
    const response = await trader.browser.post(
      '/instant-vat/vat-return/file',
      { company_id: trader.companyId, obligation_id: trader.obligation.id, figures_version: 'another', declaration_accepted: true },
      { 'idempotency-key': crypto.randomUUID() },
    );
    expect(response).toMatchObject({ status: 409, body: { code: 'return.figures_changed' } });
    expect(countAcceptedAtHmrc(trader)).toBe(0);
  });

  it('returns 404 to another trader', async () => {
    const trader = await createConnectedTrader(portal, 'owner@trader.example');
    const { browser: outsiderBrowser } = await signUp(portal, 'stranger@trader.example');
    const response = await outsiderBrowser.get('/instant-vat/vat-return', {
      company_id: trader.companyId,
      obligation_id: trader.obligation.id,
    });
    expect(response).toMatchObject({ status: 404, body: { code: 'request.not_found' } });
  });

  it('doesn’t count a return that was filed elsewhere as ours, even with the same figures', async () => {
    const trader = await createConnectedTrader(portal, 'twice@trader.example');
    await submitReturn(trader);
    // Simulates a return filed with other software: HMRC has it, and we have no record of an attempt.
    await portal.deps.database.db.delete(filings).where(eq(filings.companyId, trader.companyId));
    const response = await submitReturn(trader);
    expect(response.body).toMatchObject({ receipt: null, refusal: expect.stringContaining('wasn’t filed here') });
    expect(countAcceptedAtHmrc(trader)).toBe(1);
  });

  it('asks the user to reconnect when the authorisation was revoked, and files nothing', async () => {
    const trader = await createConnectedTrader(portal, 'revoked@trader.example');
    portal.hmrc.revokeGrant(trader.hmrcUserId);
    const response = await submitReturn(trader);
    expect(response).toMatchObject({ status: 409, body: { code: 'hmrc.not_connected' } });
    expect(countAcceptedAtHmrc(trader)).toBe(0);
  });
});
