/** Reads a company's books from QuickBooks Online page by page and maps them to domain documents. */
import type { BooksDocument, Supplier } from '@portal/domain/connected-books/books-document.ts';
import {
  FLAT_RATE_REASON,
  NOT_REGISTERED_REASON,
  type BooksProblem,
  type ConnectedBooks,
  type RateAnswers,
} from '../connected-books/connected-books.ts';
import { toSupplier } from '../connected-books/suppliers.ts';
import { QUICKBOOKS_DOCUMENTS, type QuickBooksBooksClient } from './quickbooks-books-client.ts';
import { mapQuickBooksDocument, type QuickBooksMapping } from './quickbooks-books-map.ts';
import type { QuickBooksAgencyWire, QuickBooksCompanyWire, QuickBooksTaxCodeWire } from './quickbooks-books-wire.ts';
import { findUkAgency, mapQuickBooksTaxCodes } from './quickbooks-tax-map.ts';

const FLAT_RATE = /flat[ -]?rate|\bFRS\b/i;

export async function readQuickBooksBooks(client: QuickBooksBooksClient, answers: RateAnswers = new Map()): Promise<ConnectedBooks> {
  const [company] = await client.getAll('CompanyInfo');
  const agencies = await client.getAll('TaxAgency');
  const agency = findUkAgency(agencies);
  const codes = await client.getAll('TaxCode');
  const refusals = findRefusals(company, agency, codes);
  const head = { name: company?.CompanyName ?? '', vatNumber: agency?.TaxRegistrationNumber ?? undefined, basis: undefined };
  if (refusals.length > 0) return { ...head, refusals, documents: [], unmapped: new Map(), unreadable: [] };
  const rules = mapQuickBooksTaxCodes(codes, await client.getAll('TaxRate'), agencies, answers);
  const mapping: QuickBooksMapping = { rules, suppliers: await readSuppliers(client), unmapped: new Map(), unreadable: [] };
  const documents: BooksDocument[] = [];
  for (const type of QUICKBOOKS_DOCUMENTS) {
    for await (const page of client.list(type)) {
      for (const wire of page) {
        const document = mapQuickBooksDocument(type, wire, mapping);
        if (document) documents.push(document);
      }
    }
  }
  return { ...head, refusals, documents, unmapped: mapping.unmapped, unreadable: mapping.unreadable };
}

/**
 * Returns no suppliers if none has a tax registration number. No source confirms that a UK supplier's VAT number is in that field
 * (docs/reference/providers.md section 2), so it must be in use before a supplier without one is unusual.
 */
async function readSuppliers(client: QuickBooksBooksClient): Promise<ReadonlyMap<string, Supplier>> {
  const suppliers = new Map<string, Supplier>();
  let isFieldUsed = false;
  for await (const page of client.listVendors()) {
    for (const { Id, Country, hasTaxNumber } of page) {
      isFieldUsed ||= hasTaxNumber;
      suppliers.set(Id, { ...toSupplier(undefined, [Country]), hasVatNumber: hasTaxNumber });
    }
  }
  return isFieldUsed ? suppliers : new Map();
}

function findRefusals(
  company: QuickBooksCompanyWire | undefined,
  agency: QuickBooksAgencyWire | undefined,
  codes: readonly QuickBooksTaxCodeWire[],
): BooksProblem[] {
  if (!agency?.TaxRegistrationNumber) return [{ subject: 'TaxAgency', reason: NOT_REGISTERED_REASON }];
  const isSet = (company?.NameValue ?? []).some(({ Name, Value }) => FLAT_RATE.test(Name ?? '') && Value !== 'false');
  const hasCode = codes.some(({ Name, Description, Active }) => Active !== false && FLAT_RATE.test(`${Name ?? ''} ${Description ?? ''}`));
  return isSet || hasCode ? [{ subject: 'TaxCode', reason: FLAT_RATE_REASON }] : [];
}
