import { describe, expect, it } from 'vitest';
import { getFeeVatTreatment } from '../advances/fee-vat-treatment.ts';
import { pence } from '../money.ts';
import { plainDate } from '../plain-date.ts';
import { formatJournals, SUGGESTED_ACCOUNTS, type JournalAccountNames, type JournalSoftware } from './journal-files.ts';
import { postCredit, postPayout } from './ledger.ts';
import { buildTraderJournals } from './trader-journals.ts';

const period = { start: plainDate('2026-08-01'), end: plainDate('2026-10-31') };
const JOURNALS = buildTraderJournals(
  [
    {
      idempotencyKey: 'payout:1',
      on: plainDate('2026-11-10'),
      lines: postPayout({ refund: pence(13_082_79), fee: pence(130_83), net: pence(12_951_96) }),
      period,
    },
    {
      idempotencyKey: 'credit:1',
      on: plainDate('2026-12-03'),
      lines: postCredit(pence(13_082_79)),
      remitter: 'HMRC VAT',
      period,
    },
  ],
  { from: plainDate('2026-11-01'), to: plainDate('2026-12-31') },
);
const format = (software: JournalSoftware, accounts: JournalAccountNames = SUGGESTED_ACCOUNTS[software]) =>
  formatJournals(software, JOURNALS, accounts, getFeeVatTreatment);

describe('a journal file', () => {
  it('for Xero has the columns of its template, debits as positive amounts, and the tax rates of the fee', () => {
    const entryDescription = 'Early VAT refund received: 1 Aug to 31 Oct 2026';
    const repaidDescription = 'VAT repaid by HMRC: 1 Aug to 31 Oct 2026';
    expect(format('xero').split('\r\n')).toEqual([
      '*Narration,*Date,Description,*AccountCode,*TaxRate,*Amount',
      `${entryDescription} (20261110-1),10/11/2026,Early VAT refund received,907,No VAT,12951.96`,
      `${entryDescription} (20261110-1),10/11/2026,Fee for an early VAT refund,404,Exempt Expenses,130.83`,
      `${entryDescription} (20261110-1),10/11/2026,${entryDescription},906,No VAT,-13082.79`,
      `${repaidDescription} (20261203-1),03/12/2026,VAT repaid by HMRC,820,No VAT,-13082.79`,
      `${repaidDescription} (20261203-1),03/12/2026,${repaidDescription},906,No VAT,13082.79`,
      '',
    ]);
  });

  it('for QuickBooks groups lines by journal number, with debits and credits in two columns', () => {
    expect(format('quickbooks').split('\r\n').slice(0, 4)).toEqual([
      'Journal No.,Journal Date,Account Name,Description,Debits,Credits',
      '20261110-1,10/11/2026,VAT refund clearing,Early VAT refund received,12951.96,',
      '20261110-1,10/11/2026,Finance costs,Fee for an early VAT refund,130.83,',
      '20261110-1,10/11/2026,VAT refund advances,Early VAT refund received: 1 Aug to 31 Oct 2026,,13082.79',
    ]);
  });

  it('for FreeAgent has the fields of its form', () => {
    expect(format('freeagent').split('\r\n').slice(0, 2)).toEqual([
      'Journal,Date,Description,Category,Additional information,Debit,Credit',
      '20261110-1,10/11/2026,Early VAT refund received: 1 Aug to 31 Oct 2026,VAT refund clearing,Early VAT refund received,12951.96,',
    ]);
  });

  it('never lets a chosen account name run as a formula', () => {
    const accounts = { ...SUGGESTED_ACCOUNTS.quickbooks, fee: '=HYPERLINK("http://x")' };
    expect(format('quickbooks', accounts)).toContain(`"'=HYPERLINK(""http://x"")"`);
  });
});
