/** Reads an organisation's books from Xero page by page and maps them to domain documents. */
import type { BooksDocument, Supplier } from '@portal/domain/connected-books/books-document.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import {
  FLAT_RATE_REASON,
  NOT_REGISTERED_REASON,
  type BooksProblem,
  type ConnectedBooks,
  type RateAnswers,
} from '../connected-books/connected-books.ts';
import { toSupplier } from '../connected-books/suppliers.ts';
import type { XeroBooksClient } from './xero-books-client.ts';
import type { XeroInvoiceWire, XeroOrganisationWire, XeroPrepaymentWire } from './xero-books-wire.ts';
import {
  findEntertainmentAccounts,
  mapXeroAdvancePayment,
  mapXeroBankTransaction,
  mapXeroCreditNote,
  mapXeroInvoice,
  mapXeroJournal,
  type XeroMapping,
} from './xero-books-map.ts';
import { readXeroDate } from './xero-date.ts';
import { XeroSettlements } from './xero-settlements.ts';
import { mapXeroTaxRates } from './xero-tax-map.ts';

const CASH_BASES: ReadonlySet<string> = new Set(['CASH', 'PAYMENTS']);
const ACCRUAL_BASES: ReadonlySet<string> = new Set(['ACCRUAL', 'ACCRUALS', 'INVOICE']);

export async function readXeroBooks(client: XeroBooksClient, answers: RateAnswers = new Map()): Promise<ConnectedBooks> {
  const [organisation] = await client.getAll('Organisation');
  const refusals = findRefusals(organisation);
  const head = {
    name: organisation?.Name ?? '',
    vatNumber: organisation?.TaxNumber ?? undefined,
    basis: findBasis(organisation),
    webName: organisation?.ShortCode ?? undefined,
    isDemo: organisation?.IsDemoCompany === true,
    lockedUntil: findLockDate(organisation),
  };
  if (refusals.length > 0) return { ...head, refusals, documents: [], unmapped: new Map(), unreadable: [] };
  const taxRates = await client.getAll('TaxRates');
  const mapping: XeroMapping = {
    rules: mapXeroTaxRates(taxRates, answers),
    rateNames: new Map(taxRates.map(({ TaxType, Name }) => [TaxType, Name ?? TaxType])),
    baseCurrency: organisation?.BaseCurrency ?? 'GBP',
    entertainmentAccounts: findEntertainmentAccounts(await client.getAll('Accounts')),
    suppliers: await readSuppliers(client),
    settlements: new XeroSettlements(),
    unmapped: new Map(),
    unreadable: [],
  };
  return { ...head, refusals, documents: await readDocuments(client, mapping), unmapped: mapping.unmapped, unreadable: mapping.unreadable };
}

async function readSuppliers(client: XeroBooksClient): Promise<ReadonlyMap<string, Supplier>> {
  const suppliers = new Map<string, Supplier>();
  for await (const page of client.list('Contacts')) {
    for (const { ContactID, TaxNumber, Addresses } of page) {
      suppliers.set(
        ContactID,
        toSupplier(
          TaxNumber,
          (Addresses ?? []).map(({ Country }) => Country),
        ),
      );
    }
  }
  return suppliers;
}

/** Payments and allocatable credits come first, so that each document is mapped only once, with its settlements. */
async function readDocuments(client: XeroBooksClient, mapping: XeroMapping): Promise<BooksDocument[]> {
  const { settlements } = mapping;
  const documents: BooksDocument[] = [];
  const add = (document: BooksDocument | undefined): void => void (document && documents.push(document));

  for await (const page of client.list('Payments')) settlements.addPayments(page);
  const advancePayments = new Set<string>();
  for await (const page of client.list('Prepayments')) {
    for (const prepayment of page) {
      advancePayments.add(prepayment.PrepaymentID);
      addSettlements(settlements, prepayment.PrepaymentID, prepayment);
      add(mapXeroAdvancePayment(prepayment, mapping));
    }
  }
  for await (const page of client.list('Overpayments')) {
    for (const overpayment of page) {
      advancePayments.add(overpayment.OverpaymentID);
      addSettlements(settlements, overpayment.OverpaymentID, overpayment);
      add(mapXeroAdvancePayment(overpayment, mapping));
    }
  }
  const sources = new Set(advancePayments);
  const creditNotes = [];
  for await (const page of client.list('CreditNotes')) creditNotes.push(...page);
  for (const note of creditNotes) {
    sources.add(note.CreditNoteID);
    addSettlements(settlements, note.CreditNoteID, note);
  }
  for (const note of creditNotes) add(mapXeroCreditNote(note, mapping));
  for await (const page of client.list('Invoices')) for (const invoice of page) add(mapInvoice(invoice, mapping, sources));
  for await (const page of client.list('BankTransactions')) {
    for (const transaction of page) add(mapXeroBankTransaction(transaction, mapping, advancePayments));
  }
  for await (const page of client.list('ManualJournals')) for (const journal of page) add(mapXeroJournal(journal, mapping));
  return documents;
}

function mapInvoice(invoice: XeroInvoiceWire, mapping: XeroMapping, sources: ReadonlySet<string>): BooksDocument | undefined {
  mapping.settlements.addEmbeddedPayments(invoice, sources);
  return mapXeroInvoice(invoice, mapping);
}

function addSettlements(
  settlements: XeroSettlements,
  id: string,
  source: Pick<XeroPrepaymentWire, 'Status' | 'Payments' | 'Allocations'>,
): void {
  if (source.Status === 'VOIDED' || source.Status === 'DELETED') return;
  for (const payment of source.Payments ?? []) settlements.addPayment(id, payment);
  settlements.addAllocations(id, source.Allocations);
}

/** Xero has one lock date for everyone except advisers, and one for all users. */
function findLockDate(organisation: XeroOrganisationWire | undefined): PlainDate | undefined {
  const dates = [readXeroDate(organisation?.PeriodLockDate), readXeroDate(organisation?.EndOfYearLockDate)];
  return dates
    .filter((date) => date !== undefined)
    .toSorted()
    .at(-1);
}

function findRefusals(organisation: XeroOrganisationWire | undefined): BooksProblem[] {
  const basis = organisation?.SalesTaxBasis ?? 'NONE';
  if (basis.startsWith('FLATRATE')) return [{ subject: 'SalesTaxBasis', reason: FLAT_RATE_REASON }];
  if (organisation?.PaysTax === false || basis === 'NONE' || basis === '') {
    return [{ subject: 'SalesTaxBasis', reason: NOT_REGISTERED_REASON }];
  }
  return [];
}

function findBasis(organisation: XeroOrganisationWire | undefined): ConnectedBooks['basis'] {
  const basis = organisation?.SalesTaxBasis ?? '';
  if (CASH_BASES.has(basis)) return 'cash';
  return ACCRUAL_BASES.has(basis) ? 'accrual' : undefined;
}
