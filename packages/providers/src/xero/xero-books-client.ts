/** Reads all pages of Xero's accounting API (docs/reference/providers.md section 1). */
import { z } from 'zod';
import {
  createBooksReader,
  createShapeCache,
  parseResponse,
  type BooksReader,
  type BooksReaderDeps,
} from '../connected-books/books-reader.ts';
import {
  xeroAccountWire,
  xeroBankTransactionWire,
  xeroContactWire,
  xeroCreditNoteWire,
  xeroInvoiceWire,
  xeroManualJournalWire,
  xeroOrganisationWire,
  xeroOverpaymentWire,
  xeroPaymentWire,
  xeroPrepaymentWire,
  xeroTaxRateWire,
} from './xero-books-wire.ts';

export const XERO_API = 'https://api.xero.com/api.xro/2.0';

/** Read only. Apps created since March 2026 only get granular scopes. */
export const XERO_BOOKS_SCOPES: readonly string[] = [
  'accounting.settings.read',
  'accounting.contacts.read',
  'accounting.invoices.read',
  'accounting.payments.read',
  'accounting.banktransactions.read',
  'accounting.manualjournals.read',
  'accounting.reports.trialbalance.read',
];

export type XeroBooksDeps = Omit<BooksReaderDeps, 'provider' | 'headers'> & {
  /** Default: Xero's own. */
  readonly apiUrl?: string;
  readonly tenantId: string;
  /** 1 to 1,000. The default is Xero's maximum, because Xero limits the number of calls, not their size. */
  readonly pageSize?: number;
  /** Returns only objects changed since this time, in UTC: "2026-11-21T09:14:00". */
  readonly modifiedSince?: string;
};

const MAX_PAGE_SIZE = 1_000;

/** Paged resources. Only paged calls return the lines of documents. */
const PAGED_SHAPES = {
  Contacts: xeroContactWire,
  Invoices: xeroInvoiceWire,
  CreditNotes: xeroCreditNoteWire,
  BankTransactions: xeroBankTransactionWire,
  Overpayments: xeroOverpaymentWire,
  Prepayments: xeroPrepaymentWire,
  Payments: xeroPaymentWire,
  ManualJournals: xeroManualJournalWire,
} as const;
const UNPAGED_SHAPES = { Organisation: xeroOrganisationWire, TaxRates: xeroTaxRateWire, Accounts: xeroAccountWire } as const;
/** Documents still refer to suppliers that have since been archived. */
const EXTRA_PARAMETERS: Readonly<Record<string, string>> = { Contacts: '&includeArchived=true' };
/** The field in the response that contains the list, if its name differs from the resource's. */
const LIST_FIELDS: Readonly<Record<string, string>> = { Organisation: 'Organisations' };

type PagedShapes = typeof PAGED_SHAPES;
type UnpagedShapes = typeof UNPAGED_SHAPES;

export type XeroBooksClient = {
  /** `firstPage` resumes an interrupted read. Default: 1. */
  list<Resource extends keyof PagedShapes>(resource: Resource, firstPage?: number): AsyncGenerator<z.infer<PagedShapes[Resource]>[]>;
  getAll<Resource extends keyof UnpagedShapes>(resource: Resource): Promise<z.infer<UnpagedShapes[Resource]>[]>;
};

export function createXeroBooksClient(deps: XeroBooksDeps): XeroBooksClient {
  const reader = createBooksReader({ ...deps, provider: 'xero', headers: { 'xero-tenant-id': deps.tenantId } });
  return {
    list: (resource, firstPage = 1) => listPages(reader, deps, resource, getShape(PAGED_SHAPES, resource), firstPage),
    getAll: async (resource) => (await read(reader, deps, resource, getShape(UNPAGED_SHAPES, resource), '')).items,
  };
}

/** TypeScript can't infer that the schema at a key has the type at that key. */
function getShape<Shapes extends PagedShapes | UnpagedShapes, Resource extends keyof Shapes>(shapes: Shapes, resource: Resource) {
  return shapes[resource] as unknown as z.ZodType<z.infer<Shapes[Resource] & z.ZodType>>;
}

async function* listPages<Item>(
  reader: BooksReader,
  deps: XeroBooksDeps,
  resource: string,
  shape: z.ZodType<Item>,
  firstPage: number,
): AsyncGenerator<Item[]> {
  const pageSize = deps.pageSize ?? MAX_PAGE_SIZE;
  for (let page = firstPage; ; page += 1) {
    const { items, pageCount } = await read(
      reader,
      deps,
      resource,
      shape,
      `?page=${page}&pageSize=${pageSize}${EXTRA_PARAMETERS[resource] ?? ''}`,
    );
    if (items.length > 0) yield items;
    // Xero states the number of pages; a page that isn't full is always the last.
    if (items.length < pageSize || (pageCount !== undefined && page >= pageCount)) return;
  }
}

const paginationWire = z.object({ pageCount: z.number().optional() }).nullish();
const getResponseShape = createShapeCache((resource, item): z.ZodType<Record<string, unknown>> =>
  z.object({ [LIST_FIELDS[resource] ?? resource]: z.array(item), pagination: paginationWire }),
);

async function read<Item>(
  reader: BooksReader,
  { apiUrl = XERO_API, modifiedSince }: XeroBooksDeps,
  resource: string,
  shape: z.ZodType<Item>,
  query: string,
): Promise<{ readonly items: Item[]; readonly pageCount: number | undefined }> {
  const operation = `xero.${resource}`;
  const headers = modifiedSince === undefined ? {} : { 'if-modified-since': modifiedSince };
  const { body } = await reader.get(`${apiUrl}/${resource}${query}`, operation, headers);
  if (body === undefined) return { items: [], pageCount: 0 };
  const member = LIST_FIELDS[resource] ?? resource;
  const parsedBody = parseResponse(getResponseShape(resource, shape), body, 'xero', operation);
  const pagination = parsedBody['pagination'] as z.infer<typeof paginationWire>;
  return { items: parsedBody[member] as Item[], pageCount: pagination?.pageCount };
}
