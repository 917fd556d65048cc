/** Reads all pages from QuickBooks Online using its query language (docs/reference/providers.md section 2). */
import { z } from 'zod';
import { createBooksReader, createShapeCache, parseResponse, type BooksReaderDeps } from '../connected-books/books-reader.ts';
import { realmIdWire } from './intuit-wire.ts';
import {
  quickBooksAgencyWire,
  quickBooksCompanyWire,
  quickBooksDocumentWire,
  quickBooksTaxCodeWire,
  quickBooksTaxRateWire,
  type QuickBooksVendor,
  quickBooksVendorWire,
} from './quickbooks-books-wire.ts';

export const QUICKBOOKS_API = 'https://quickbooks.api.intuit.com';

export type QuickBooksBooksDeps = Omit<BooksReaderDeps, 'provider' | 'headers'> & {
  /** Default: Intuit's own. */
  readonly apiUrl?: string;
  readonly realmId: string;
  /** 1 to 1,000; by default the maximum. */
  readonly pageSize?: number;
  /** Returns only objects changed since this time: "2026-11-21T09:14:00Z". */
  readonly modifiedSince?: string;
};

const MAX_PAGE_SIZE = 1_000;
/** Intuit withdrew versions below 75 in August 2025. */
const MINOR_VERSION = 75;

/** The document types that contain VAT. */
export const QUICKBOOKS_DOCUMENTS = [
  'Invoice',
  'SalesReceipt',
  'CreditMemo',
  'RefundReceipt',
  'Bill',
  'VendorCredit',
  'Purchase',
  'JournalEntry',
  'Deposit',
] as const;
export type QuickBooksDocumentType = (typeof QUICKBOOKS_DOCUMENTS)[number];

const LISTS = {
  CompanyInfo: quickBooksCompanyWire,
  TaxAgency: quickBooksAgencyWire,
  TaxCode: quickBooksTaxCodeWire,
  TaxRate: quickBooksTaxRateWire,
} as const;
/** Queries omit inactive codes, rates and suppliers, but documents still use them. */
const INACTIVE_TOO = 'Active in (true, false)';
const TYPES_WITH_INACTIVE: ReadonlySet<string> = new Set(['TaxCode', 'TaxRate']);

export type QuickBooksBooksClient = {
  /** `firstPage` resumes an interrupted read. Default: 1. */
  list(type: QuickBooksDocumentType, firstPage?: number): AsyncGenerator<z.infer<typeof quickBooksDocumentWire>[]>;
  listVendors(firstPage?: number): AsyncGenerator<QuickBooksVendor[]>;
  getAll<Type extends keyof typeof LISTS>(type: Type): Promise<z.infer<(typeof LISTS)[Type]>[]>;
};

const getResponseShape = createShapeCache((type, item): z.ZodType<{ QueryResponse: Record<string, unknown> }> =>
  z.object({ QueryResponse: z.object({ [type]: z.array(item).nullish() }) }),
);

export function createQuickBooksBooksClient(deps: QuickBooksBooksDeps): QuickBooksBooksClient {
  const reader = createBooksReader({ ...deps, provider: 'quickbooks' });
  const base = `${deps.apiUrl ?? QUICKBOOKS_API}/v3/company/${realmIdWire.parse(deps.realmId)}/query`;
  const pageSize = deps.pageSize ?? MAX_PAGE_SIZE;

  async function* listPages<Item>(
    type: string,
    shape: z.ZodType<Item>,
    conditions: readonly string[],
    firstPage = 1,
  ): AsyncGenerator<Item[]> {
    const operation = `quickbooks.${type}`;
    const condition = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
    for (let start = 1 + (firstPage - 1) * pageSize; ; start += pageSize) {
      const query = `select * from ${type}${condition} orderby Id startposition ${start} maxresults ${pageSize}`;
      const { body } = await reader.get(`${base}?${new URLSearchParams({ query, minorversion: String(MINOR_VERSION) })}`, operation);
      const { QueryResponse } = parseResponse(getResponseShape(type, shape), body, 'quickbooks', operation);
      const items = (QueryResponse[type] as Item[] | null | undefined) ?? [];
      if (items.length > 0) yield items;
      if (items.length < pageSize) return;
    }
  }

  const changedConditions = deps.modifiedSince === undefined ? [] : [`MetaData.LastUpdatedTime > '${deps.modifiedSince}'`];
  return {
    list: (type, firstPage = 1) => listPages(type, quickBooksDocumentWire, changedConditions, firstPage),
    listVendors: (firstPage = 1) => listPages('Vendor', quickBooksVendorWire, [INACTIVE_TOO, ...changedConditions], firstPage),
    getAll: async (type) => {
      const shape = LISTS[type] as unknown as z.ZodType<z.infer<(typeof LISTS)[typeof type]>>;
      const items: z.infer<(typeof LISTS)[typeof type]>[] = [];
      for await (const page of listPages(type, shape, TYPES_WITH_INACTIVE.has(type) ? [INACTIVE_TOO] : [])) items.push(...page);
      return items;
    },
  };
}
