/** Tests that HMRC's VAT records of generated clients match their situation and are consistent. */
import { addDays, plainDate } from '@portal/domain/plain-date.ts';
import { describe, expect, it } from 'vitest';
import { generatePortfolio } from './generate-portfolio.ts';
import type { PortfolioClient } from './portfolio-client.ts';
import type { PortfolioSituation } from './situations.ts';
import { generateVatRecords, type VatRecords } from './vat-books.ts';

const TEST_DATES = ['2026-11-21', '2026-01-01', '2026-02-07', '2026-03-08', '2026-08-31', '2027-04-30'].map(plainDate);

function listRecords(today: string, situation: PortfolioSituation): { client: PortfolioClient; books: VatRecords }[] {
  const { list } = generatePortfolio({ clients: 700, seed: 7, today: plainDate(today) });
  return list.flatMap((client) => {
    const books = client.situation === situation ? generateVatRecords(client, plainDate(today)) : undefined;
    return books ? [{ client, books }] : [];
  });
}

const listOverdueReturns = ({ obligations, returns }: VatRecords, today: string) =>
  [...obligations.values()].filter(({ periodKey, due }) => due < today && !returns.has(periodKey));
const listOverdueCharges = ({ charges }: VatRecords, today: string) =>
  [...charges.values()].filter(({ outstandingPence, due }) => outstandingPence > 0 && due < today);

describe.each(TEST_DATES)('on %s', (today) => {
  it('a client who is up to date owes neither a return nor money', () => {
    for (const { books } of listRecords(today, 'up_to_date')) {
      expect(listOverdueReturns(books, today)).toEqual([]);
      expect(listOverdueCharges(books, today).filter(({ due }) => due < addDays(today, -6))).toEqual([]);
      expect(books.penalties).toBeUndefined();
    }
  });

  it('a client with a return due soon has an ended period whose return is not late', () => {
    for (const { books } of listRecords(today, 'due_soon')) {
      const waitingObligations = [...books.obligations.values()].filter(
        ({ periodKey, end, due }) => end < today && due >= today && !books.returns.has(periodKey),
      );
      expect(waitingObligations.length).toBeGreaterThan(0);
      expect(listOverdueReturns(books, today)).toEqual([]);
    }
  });

  it.each([
    ['overdue_return', (books: VatRecords) => listOverdueReturns(books, today).length],
    ['overdue_payment', (books: VatRecords) => listOverdueCharges(books, today).length],
    ['insolvent', (books: VatRecords) => Number(books.trader.insolvent)],
    ['refund_coming', (books: VatRecords) => [...books.repayments.values()].filter(({ stage }) => stage === 'INITIAL').length],
    ['refund_set_off', (books: VatRecords) => [...books.repayments.values()].filter(({ setOffPence }) => setOffPence > 0).length],
    [
      'refund_suspended',
      (books: VatRecords) => [...books.repayments.values()].filter(({ stage }) => stage === 'REPAYMENT_SUSPENDED').length,
    ],
    ['refund_suspended', (books: VatRecords) => listOverdueReturns(books, today).length],
    [
      'penalty_threshold',
      (books: VatRecords) => Number(books.penalties?.lateSubmissionPenalty?.details.some(({ chargeAmount }) => chargeAmount === 200)),
    ],
  ] as const)('%s is visible for every such client', (situation, count) => {
    const foundRecords = listRecords(today, situation);
    expect(foundRecords.length).toBeGreaterThan(3);
    for (const { books } of foundRecords) expect(count(books)).toBeGreaterThan(0);
  });

  it('a client at the penalty threshold has the required number of active points', () => {
    for (const { client, books } of listRecords(today, 'penalty_threshold')) {
      const summary = books.penalties?.lateSubmissionPenalty?.summary;
      expect([summary?.activePenaltyPoints, summary?.regimeThreshold]).toEqual(client.vat?.stagger === 'monthly' ? [5, 5] : [4, 4]);
      expect((summary?.periodOfComplianceAchievement ?? '') > today).toBe(true);
    }
  });

  it('a client who registered days ago has no data', () => {
    for (const { books } of listRecords(today, 'no_data'))
      expect([books.obligations.size, books.charges.size, books.returns.size]).toEqual([0, 0, 0]);
  });

  it('every charge matches its return, and the cleared part was paid', () => {
    const { list } = generatePortfolio({ clients: 400, seed: 3, today });
    for (const client of list) {
      const books = generateVatRecords(client, today);
      for (const charge of books?.charges.values() ?? []) {
        if (charge.periodKey === undefined) continue;
        const boxes = books?.returns.get(charge.periodKey)?.boxes;
        expect(charge.originalPence).toBe((boxes?.box3 ?? 0) - (boxes?.box4 ?? 0));
        const chargePayment = books?.payments.get(charge.chargeId);
        if (charge.originalPence > 0) expect(charge.originalPence - charge.outstandingPence).toBe(chargePayment?.amountPence ?? 0);
        expect(chargePayment === undefined || chargePayment.receivedOn <= today).toBe(true);
      }
      for (const filedReturn of books?.returns.values() ?? []) {
        const period = books?.obligations.get(filedReturn.periodKey);
        expect(period && filedReturn.receivedOn > period.end && filedReturn.receivedOn <= today).toBe(true);
      }
    }
  });
});
