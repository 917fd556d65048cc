/** Tests the statement of account, the journals and the offer of refunds that didn't come back as claimed. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { approveNextRefund } from '../../testing/next-refund.ts';
import { createOperatorPair, type OperatorPair } from '../../testing/operator-pair.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { readPdf } from '../../testing/read-pdf.ts';
import { createShortRepaidTrader, findCase, runTick } from '../../testing/short-refund.ts';
import { createIdempotencyHeaders, createPaidTrader, findAdvance, waitForState } from '../../testing/take-advance.ts';
import type { Trader } from '../../testing/test-trader.ts';
import { WAIT_OPTIONS } from '../../testing/wait-options.ts';

let portal: TestPortal;
let operators: OperatorPair;
beforeAll(async () => {
  portal = await openTestPortal();
  operators = await createOperatorPair(portal);
});
beforeEach(() => portal.moveClock('2026-11-10T09:00:00.000Z'));
afterAll(() => portal.close());

async function download({ companyId, cookie }: Trader, path: string, query: Record<string, string>): Promise<Buffer> {
  const url = `/portal/instant-vat/documents/${path}`;
  const response = await portal.app.inject({ url, query: { company_id: companyId, ...query }, headers: { cookie } });
  expect(response.statusCode).toBe(200);
  return response.rawPayload;
}

/** Lists the cells of a file's rows, without the header. Only for rows without quotes. */
async function listRows(trader: Trader, path: string, query: Record<string, string>): Promise<string[][]> {
  const text = (await download(trader, path, { from: '2026-11-01', to: portal.deps.clock.today(), ...query })).toString('utf8');
  return text
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((cell) => cell.replaceAll('"', '')));
}

const listEntries = async (trader: Trader) =>
  (await listRows(trader, 'statement', { format: 'csv' })).map(([_on, text, start, _end, change, balance]) => [
    text,
    start,
    change,
    balance,
  ]);
const listJournalLines = async (trader: Trader) =>
  (await listRows(trader, 'journals', { software: 'quickbooks' })).map(([_number, _on, account, text, debit, credit]) => [
    account,
    text?.replace(/:.*/, ''),
    debit === '' ? `-${credit}` : debit,
  ]);

describe('a refund repaid short', () => {
  it('has an entry that says what the trader owes, and the offer for the next refund says that we take it off', async () => {
    const trader = await createShortRepaidTrader(portal, 'short@papers.example', 4_601, 3_000);
    const start = trader.obligation.periodStart;
    expect(await listEntries(trader)).toEqual([
      ['Opening balance', '', '', '0.00'],
      ['Paid to you', start, '4554.99', '4554.99'],
      ['Our fee', start, '46.01', '4601.00'],
      ['Repaid by HMRC', start, '-3000.00', '1601.00'],
      ['HMRC repaid less than claimed: you now owe £1,601.00', start, '0.00', '1601.00'],
      ['Closing balance', '', '', '1601.00'],
    ]);
    const { advance_id } = await approveNextRefund(portal, trader, 12_600, operators.olga);
    const { texts } = await readPdf(await download(trader, 'quote', { advance_id }));
    expect(texts.map(({ text }) => text)).toContain(
      'If you still owe us something from an earlier refund when we pay, we take it off this payment.',
    );
  });
});

describe('a refund claimed from the trader', () => {
  it('has an entry for the claim with the period of its refund', async () => {
    const trader = await createPaidTrader(portal, 'claimed@papers.example', 4_604);
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'ADJUSMENT_TO_TAX_DUE', 25_000);
    await trader.browser.post('/instant-vat/hmrc/refresh', { company_id: trader.companyId });
    const { shortfall_id } = await findCase(trader);
    const claim = { company_id: trader.companyId, shortfall_id, amount_pence: 460_400, reason: 'HMRC’s letter' };
    expect((await operators.olga.post('/operator/shortfall/claim', claim, createIdempotencyHeaders())).status).toBe(200);
    expect((await listEntries(trader)).at(-2)).toEqual([
      'HMRC repaid less than claimed: you now owe £4,604.00',
      trader.obligation.periodStart,
      '0.00',
      '4604.00',
    ]);
  });
});

describe('more than the refund', () => {
  it('is paid on as a payment that isn’t an early refund', async () => {
    const { olga, sendCredit, resolve } = operators;
    const trader = await createPaidTrader(portal, 'surplus@papers.example', 4_602);
    await sendCredit(trader, 460_200 + 5_00, { remitterName: 'HMRC VAT', reference: trader.vrn });
    await waitForState(trader, 'settled');
    const payment = { company_id: trader.companyId, amount_pence: 5_00, reason: 'Interest from HMRC' };
    await resolve(trader, olga.post('/operator/matters/pay-surplus', payment));
    await portal.runJobs();
    portal.bank.advancePayouts();
    await runTick(portal, 'returns.poll');
    await vi.waitFor(async () => expect((await listEntries(trader)).at(-1)?.at(-1)).toBe('0.00'), WAIT_OPTIONS);
    expect((await listJournalLines(trader)).slice(-4)).toEqual([
      ['VAT Suspense', 'VAT repaid by HMRC', '-4607.00'],
      ['VAT refund advances', 'VAT repaid by HMRC', '4607.00'],
      ['VAT refund clearing', 'Other payment received', '5.00'],
      ['VAT refund advances', 'Other payment received', '-5.00'],
    ]);
  });

  it('that came from HMRC and goes back to HMRC leaves nothing on VAT or on clearing', async () => {
    const { olga, sendCredit, resolve, waitForException } = operators;
    const trader = await createPaidTrader(portal, 'returned@papers.example', 4_603);
    await sendCredit(trader, 460_300, { remitterName: 'HMRC VAT', reference: trader.vrn });
    await waitForState(trader, 'settled');
    await sendCredit(trader, 77_00, { remitterName: 'HMRC VAT', reference: 'UNKNOWN' });
    const { subject_id: credit_id } = await waitForException(trader, 'credit', 77_00);
    const details = { company_id: trader.companyId, credit_id, return_reference: 'TL-9', reason: 'Another taxpayer’s' };
    await resolve(trader, olga.post('/operator/matters/record-return', details));
    expect((await listJournalLines(trader)).slice(-4)).toEqual([
      ['VAT Suspense', 'VAT repaid by HMRC', '-77.00'],
      ['VAT refund advances', 'VAT repaid by HMRC', '77.00'],
      ['VAT Suspense', 'VAT repayment returned to HMRC', '77.00'],
      ['VAT refund advances', 'VAT repayment returned to HMRC', '-77.00'],
    ]);
    expect((await findAdvance(trader)).state).toBe('settled');
  });
});
