/** Reads a company's books from FreeAgent, including all pages and bank accounts. */
import type { BooksDocument, Supplier } from '@portal/domain/connected-books/books-document.ts';
import {
  FLAT_RATE_REASON,
  NOT_REGISTERED_REASON,
  type BooksProblem,
  type ConnectedBooks,
  type RateAnswers,
} from '../connected-books/connected-books.ts';
import { toSupplier } from '../connected-books/suppliers.ts';
import type { FreeAgentBooksClient } from './freeagent-books-client.ts';
import { mapFreeAgentBill } from './freeagent-bill-map.ts';
import { mapFreeAgentExpense, mapFreeAgentExplanation, mapFreeAgentInvoice } from './freeagent-books-map.ts';
import type { FreeAgentCompanyWire } from './freeagent-books-wire.ts';
import { createCategoryFinder } from './freeagent-categories.ts';
import type { FreeAgentMapping } from './freeagent-document.ts';
import { FreeAgentSettlements } from './freeagent-settlements.ts';

export async function readFreeAgentBooks(client: FreeAgentBooksClient, answers: RateAnswers = new Map()): Promise<ConnectedBooks> {
  const company = await client.getCompany();
  const refusals = findRefusals(company);
  const head = {
    name: company.name ?? '',
    vatNumber: company.sales_tax_registration_number ?? undefined,
    basis: undefined,
    refusals,
    webName: company.subdomain ?? undefined,
  };
  if (refusals.length > 0) return { ...head, documents: [], unmapped: new Map(), unreadable: [] };
  const mapping: FreeAgentMapping = {
    currency: company.currency ?? 'GBP',
    findCategory: createCategoryFinder(await client.getCategories()),
    suppliers: await readSuppliers(client),
    settlements: new FreeAgentSettlements(),
    answers,
    unmapped: new Map(),
    unreadable: [],
  };
  return { ...head, documents: await readDocuments(client, mapping), unmapped: mapping.unmapped, unreadable: mapping.unreadable };
}

async function readSuppliers(client: FreeAgentBooksClient): Promise<ReadonlyMap<string, Supplier>> {
  const suppliers = new Map<string, Supplier>();
  for await (const page of client.list('contacts')) {
    for (const { url, country, sales_tax_registration_number: vatNumber } of page) suppliers.set(url, toSupplier(vatNumber, [country]));
  }
  return suppliers;
}

/** Bank entries come first, because they settle the other documents. */
async function readDocuments(client: FreeAgentBooksClient, mapping: FreeAgentMapping): Promise<BooksDocument[]> {
  const documents: BooksDocument[] = [];
  const add = (document: BooksDocument | undefined): void => void (document && documents.push(document));
  for await (const accounts of client.list('bank_accounts')) {
    for (const { url, currency } of accounts) {
      for await (const page of client.list('bank_transaction_explanations', { bank_account: url })) {
        for (const statedExplanation of page) {
          const explanation = { account_currency: currency, ...statedExplanation };
          mapping.settlements.add(explanation);
          add(mapFreeAgentExplanation(explanation, mapping));
        }
      }
    }
  }
  for await (const page of client.list('invoices')) for (const invoice of page) add(mapFreeAgentInvoice('Invoice', invoice, mapping));
  for await (const page of client.list('credit_notes')) for (const note of page) add(mapFreeAgentInvoice('CreditNote', note, mapping));
  for await (const page of client.list('bills')) for (const bill of page) add(mapFreeAgentBill(bill, mapping));
  for await (const page of client.list('expenses')) for (const expense of page) add(mapFreeAgentExpense(expense, mapping));
  return documents;
}

function findRefusals(company: FreeAgentCompanyWire): BooksProblem[] {
  if (company.sales_tax_registration_status !== 'Registered') {
    return [{ subject: 'sales_tax_registration_status', reason: NOT_REGISTERED_REASON }];
  }
  return company.initially_on_frs === true ? [{ subject: 'initially_on_frs', reason: FLAT_RATE_REASON }] : [];
}
