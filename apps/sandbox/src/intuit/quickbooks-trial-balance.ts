/** QuickBooks' TrialBalance report: the balances of the VAT accounts on a given day, from the recorded documents. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RecordedObject, Recordings } from '../simulator/recordings.ts';
import { searchParams } from '../simulator/request.ts';

/** The effect of a document's VAT on the amount owed to HMRC. */
const POSTING_DIRECTIONS: Readonly<Record<string, 1 | -1>> = {
  Invoice: 1,
  SalesReceipt: 1,
  CreditMemo: -1,
  RefundReceipt: -1,
  Bill: -1,
  VendorCredit: 1,
  Purchase: -1,
};

export function sendTrialBalance(request: FastifyRequest, reply: FastifyReply, recordings: Recordings): FastifyReply {
  const end = searchParams(request).get('end_date') ?? '';
  if (!/^\d{4}-\d{2}-\d{2}$/.test(end)) {
    return reply.code(400).send({ Fault: { Error: [{ Message: 'Invalid date', code: '2010' }], type: 'ValidationFault' } });
  }
  const control = (recordings['Account'] ?? []).find(({ AccountSubType: type }) => type === 'GlobalTaxPayable');
  const listDatedEntries = (entity: string) => (recordings[entity] ?? []).filter(({ TxnDate: date }) => String(date) <= end);
  let balance = 0;
  for (const [entity, direction] of Object.entries(POSTING_DIRECTIONS)) {
    for (const document of listDatedEntries(entity)) {
      const { TotalTax: tax } = (document['TxnTaxDetail'] ?? {}) as RecordedObject;
      balance += (direction * Math.round(Number(tax ?? 0) * 100 * Number(document['ExchangeRate'] ?? 1))) / 100;
    }
  }
  for (const journal of listDatedEntries('JournalEntry'))
    for (const line of (journal['Line'] ?? []) as RecordedObject[]) balance += sumPostedTo(line, control?.['Id']);
  const [debit, credit] = balance < 0 ? [(-balance).toFixed(2), ''] : ['', balance.toFixed(2)];
  const row = { ColData: [{ value: 'VAT Control', id: control?.['Id'] }, { value: debit }, { value: credit }] };
  return reply.send({
    Header: { ReportName: 'TrialBalance', ReportBasis: 'Accrual', EndPeriod: end, Currency: 'GBP' },
    Columns: { Column: ['', 'Debit', 'Credit'].map((ColTitle, index) => ({ ColTitle, ColType: index === 0 ? 'Account' : 'Money' })) },
    Rows: { Row: control === undefined ? [] : [row] },
  });
}

function sumPostedTo(line: RecordedObject, account: unknown): number {
  const { PostingType: type, AccountRef: reference } = (line['JournalEntryLineDetail'] ?? {}) as RecordedObject;
  if (account === undefined || (reference as RecordedObject | undefined)?.['value'] !== account) return 0;
  return type === 'Credit' ? Number(line['Amount'] ?? 0) : -Number(line['Amount'] ?? 0);
}
