/** Two reads at GoCardless can overlap, so its older answer may arrive after the newer one. It must change nothing. */
import { directDebits, mandates } from '@portal/db/schema/schema.ts';
import { createGoCardlessClient } from '@portal/providers/gocardless/gocardless-client.ts';
import { SANDBOX_GOCARDLESS } from '@portal/sandbox/gocardless/sandbox-credentials.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { AppDeps } from '../../app-deps.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createShortRepaidTrader, findCase, pollDirectDebitsAt, setUpDirectDebit } from '../../testing/short-refund.ts';
import { findAdvance, getTrialBalance, waitForState } from '../../testing/take-advance.ts';
import type { Trader } from '../../testing/test-trader.ts';
import { WAIT_OPTIONS } from '../../testing/wait-options.ts';
import type { DirectDebitRow } from './direct-debit-record.ts';
import { readMandate } from './read-mandate.ts';
import { readDirectDebit } from './submit-direct-debit.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
beforeEach(() => portal.moveClock('2026-11-10T09:00:00Z'));
afterAll(() => portal.close());

const pollAt = (at: string): Promise<void> => pollDirectDebitsAt(portal, at);

async function findDebit({ companyId }: Trader): Promise<DirectDebitRow> {
  const [debit] = await portal.deps.database.db.select().from(directDebits).where(eq(directDebits.companyId, companyId));
  if (!debit) throw new Error('no Direct Debit');
  return debit;
}

const waitForStatus = (trader: Trader, status: string) =>
  vi.waitFor(async () => expect((await findDebit(trader)).status).toBe(status), WAIT_OPTIONS);

/** HMRC repays £1,000 too little, and a Direct Debit for it is at the bank. */
async function createTraderWithSubmittedDebit(email: string, refundPounds: number): Promise<Trader> {
  const trader = await createShortRepaidTrader(portal, email, refundPounds, refundPounds - 1_000);
  await setUpDirectDebit(portal, trader);
  await pollAt('2026-11-14T09:00:00Z');
  await pollAt('2026-11-23T09:00:00Z');
  await waitForStatus(trader, 'submitted');
  return trader;
}

/** GoCardless's first answer arrives only when the test lets it through. */
async function startSlowRead(read: (deps: AppDeps) => Promise<void>): Promise<{ finish: () => Promise<void> }> {
  const [answered, gateOpened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const send: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    answered.resolve();
    await gateOpened.promise;
    return response;
  };
  const { accessToken, webhookSecret } = SANDBOX_GOCARDLESS;
  const apiUrl = `${portal.sandboxUrl}/gocardless`;
  const client = createGoCardlessClient({ apiUrl, accessToken, webhookSecrets: [webhookSecret], fetch: send, timeoutMs: 600_000 });
  const reading = read({ ...portal.deps, directDebits: client });
  await answered.promise;
  return {
    finish: () => {
      gateOpened.resolve();
      return reading;
    },
  };
}

it('of a mandate doesn’t make one usable that the payer has cancelled', async () => {
  const trader = await createTraderWithSubmittedDebit('mandate@debit.example', 4_363);
  const findMandate = async () => {
    const [mandate] = await portal.deps.database.db.select().from(mandates).where(eq(mandates.companyId, trader.companyId));
    if (!mandate) throw new Error('no mandate');
    return mandate;
  };
  const mandate = await findMandate();
  expect(mandate.status).toBe('active');
  const slowRead = await startSlowRead((deps) => readMandate(deps, mandate));
  portal.directDebits.moveMandate(mandate.providerMandateId ?? '', 'cancelled', 'cancelled by the payer');
  await vi.waitFor(async () => expect((await findMandate()).status).toBe('cancelled'), WAIT_OPTIONS);
  await slowRead.finish();
  expect((await findMandate()).status).toBe('cancelled');
});

it('doesn’t have a difference collected again when “submitted” arrives after “confirmed”', async () => {
  const trader = await createTraderWithSubmittedDebit('outdated@debit.example', 4_361);
  const debit = await findDebit(trader);
  const slowRead = await startSlowRead((deps) => readDirectDebit(deps, debit));
  await pollAt('2026-11-25T09:00:00Z');
  await waitForStatus(trader, 'confirmed');
  await waitForState(trader, 'settled');
  await slowRead.finish();
  expect((await findDebit(trader)).status).toBe('confirmed');
  await pollAt('2026-11-27T09:00:00Z');
  await waitForStatus(trader, 'paid_out');
  await pollAt('2026-12-01T09:00:00Z');
  expect((await findAdvance(trader)).state).toBe('settled');
  expect((await findCase(trader)).direct_debits).toHaveLength(1);
  expect(await getTrialBalance(portal, trader.companyId)).not.toHaveProperty('owed_to_trader');
});

it('of a Direct Debit that failed late and was submitted again makes its difference due until it is collected', async () => {
  const trader = await createTraderWithSubmittedDebit('resubmitted@debit.example', 4_362);
  const { providerPaymentId } = await findDebit(trader);
  portal.directDebits.movePayment(providerPaymentId ?? '', 'confirmed');
  await waitForStatus(trader, 'confirmed');
  await waitForState(trader, 'settled');
  portal.directDebits.movePayment(providerPaymentId ?? '', 'submitted');
  await waitForStatus(trader, 'submitted');
  expect(await findCase(trader)).toMatchObject({ status: 'due', owed_pence: 100_000 });
  portal.directDebits.movePayment(providerPaymentId ?? '', 'confirmed');
  await waitForStatus(trader, 'confirmed');
  await waitForState(trader, 'settled');
  expect(await getTrialBalance(portal, trader.companyId)).not.toHaveProperty('owed_to_trader');
});
