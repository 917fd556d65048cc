/**
 * The trader's documents: receipts, quotes, agreements, statements of account and journals. The files themselves are in file-endpoints.ts.
 */
import { ADVANCE_STATES } from '@portal/domain/advances/advance-states.ts';
import { JOURNAL_SOFTWARE } from '@portal/domain/ledger/journal-files.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, dateScalar, doneOutput, idScalar, instantScalar, penceScalar } from './scalars.ts';

export const RECEIPT_FILE_PATH = '/instant-vat/documents/receipt';
export const QUOTE_FILE_PATH = '/instant-vat/documents/quote';
export const AGREEMENT_FILE_PATH = '/instant-vat/documents/agreement';
export const STATEMENT_FILE_PATH = '/instant-vat/documents/statement';
export const JOURNALS_FILE_PATH = '/instant-vat/documents/journals';

export const receiptFileQuery = z.extend(companyInput, { obligation_id: idScalar });
export const advanceFileQuery = z.extend(companyInput, { advance_id: idScalar });

/** The first and last day of the period. */
const periodQuery = z.extend(companyInput, { from: dateScalar, to: dateScalar });
const LAST_DAY_ERROR = { message: 'Choose a last day on or after the first day', path: ['to'] };
const isInOrder = ({ from, to }: { from: string; to: string }): boolean => from <= to;

export const statementFileQuery = z
  .extend(periodQuery, { format: z._default(z.enum(['pdf', 'csv']), 'pdf') })
  .check(z.refine(isInOrder, LAST_DAY_ERROR));
export const journalsFileQuery = z.extend(periodQuery, { software: z.enum(JOURNAL_SOFTWARE) }).check(z.refine(isInOrder, LAST_DAY_ERROR));

const accountScalar = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Enter the account’s code or name'),
    z.maxLength(100, 'Enter at most 100 characters'),
    z.regex(/^\P{Cc}*$/u, 'Enter the account on one line'),
  );

/** The code (Xero) or name of each account in the trader's software. */
const journalAccounts = z.object({
  advances: accountScalar,
  clearing: accountScalar,
  fee: accountScalar,
  vat: accountScalar,
  other_income: accountScalar,
});

const offerDocument = z.object({
  advance_id: idScalar,
  state: z.enum(ADVANCE_STATES),
  version: z.int(),
  quoted_at: instantScalar,
  accepted_at: z.nullable(instantScalar),
  refund_pence: penceScalar,
  net_pence: penceScalar,
});

/** A VAT period with at least one document. */
const periodDocuments = z.object({
  obligation_id: idScalar,
  period_start: dateScalar,
  period_end: dateScalar,
  /** When HMRC received the return that we filed; null if we didn't file it. */
  filed_at: z.nullable(instantScalar),
  /** Newest first. */
  offers: z.array(offerDocument),
});
export type PeriodDocumentsOutput = z.output<typeof periodDocuments>;

const documentsOutput = z.object({
  company_name: z.string(),
  /** Every period, newest first. */
  periods: z.array(periodDocuments),
  account: z.object({
    /** The day of the first entry; null if there are no entries. */
    first_on: z.nullable(dateScalar),
    today: dateScalar,
    /** The amount still owed to us. Negative if we hold the trader's money. */
    balance_pence: penceScalar,
  }),
  journal_accounts: z.object({ xero: journalAccounts, quickbooks: journalAccounts, freeagent: journalAccounts }),
  fee_vat: z.object({ text: z.string(), source: z.string() }),
});
export type DocumentsOutput = z.output<typeof documentsOutput>;

export const documentsApi = {
  list: endpoint({
    method: 'GET',
    path: '/instant-vat/documents',
    access: 'company.read',
    summary: 'List a company’s documents by VAT period, with the accounts for its journals',
    input: companyInput,
    output: documentsOutput,
  }),
  saveJournalAccounts: endpoint({
    method: 'POST',
    path: '/instant-vat/documents/journal-accounts',
    access: 'company.prepare',
    summary: 'Save the accounts used in journals, for each bookkeeping product',
    input: z.extend(companyInput, { software: z.enum(JOURNAL_SOFTWARE), ...journalAccounts.shape }),
    output: doneOutput,
  }),
};
