/** Reads FreeAgent's API, following its Link header through all pages (docs/reference/providers.md section 3). */
import { z } from 'zod';
import { createBooksReader, createShapeCache, parseResponse, type BooksReaderDeps } from '../connected-books/books-reader.ts';
import {
  freeAgentBankAccountWire,
  freeAgentBillWire,
  freeAgentCategoriesWire,
  freeAgentCompanyWire,
  freeAgentContactWire,
  freeAgentExpenseWire,
  freeAgentExplanationWire,
  freeAgentInvoiceWire,
  freeAgentPracticeClientWire,
  freeAgentVatReturnWire,
} from './freeagent-books-wire.ts';
import { FREEAGENT_API } from './freeagent-wire.ts';

export type FreeAgentBooksDeps = Omit<BooksReaderDeps, 'provider' | 'headers'> & {
  /** Default: FreeAgent's own. */
  readonly apiUrl?: string;
  /** Identifies the portal. FreeAgent rejects calls without a User-Agent. */
  readonly userAgent: string;
  /** The practice's client whose books are read. */
  readonly subdomain?: string;
  /** 1 to 100; by default the maximum. */
  readonly pageSize?: number;
  /** Returns only objects changed since this time: "2026-11-21T09:14:00.000Z". */
  readonly modifiedSince?: string;
};

const MAX_PAGE_SIZE = 100;
const NEXT_LINK = /<([^>]+)>\s*;\s*rel="?next"?/i;

/** Lists contain items only if the request includes this parameter. */
const LISTS = {
  invoices: { shape: freeAgentInvoiceWire, parameters: { nested_invoice_items: 'true' } },
  credit_notes: { shape: freeAgentInvoiceWire, parameters: { nested_credit_note_items: 'true' } },
  bills: { shape: freeAgentBillWire, parameters: { nested_bill_items: 'true' } },
  expenses: { shape: freeAgentExpenseWire, parameters: {} },
  bank_transaction_explanations: { shape: freeAgentExplanationWire, parameters: {} },
  // Documents still refer to suppliers that have since been hidden.
  contacts: { shape: freeAgentContactWire, parameters: { view: 'all' } },
  vat_returns: { shape: freeAgentVatReturnWire, parameters: {} },
  bank_accounts: { shape: freeAgentBankAccountWire, parameters: {} },
  clients: { shape: freeAgentPracticeClientWire, parameters: {} },
} as const;
type Lists = typeof LISTS;

export type FreeAgentBooksClient = {
  list<Resource extends keyof Lists>(
    resource: Resource,
    parameters?: Readonly<Record<string, string>>,
  ): AsyncGenerator<z.infer<Lists[Resource]['shape']>[]>;
  /** Returns the number of pages in `list`; undefined if FreeAgent doesn't state it. */
  countPages(resource: keyof Lists, parameters?: Readonly<Record<string, string>>): Promise<number | undefined>;
  getCompany(): Promise<z.infer<typeof freeAgentCompanyWire>>;
  getCategories(): Promise<z.infer<typeof freeAgentCategoriesWire>>;
};

const getResponseShape = createShapeCache((list, item): z.ZodType<Record<string, unknown>> => z.object({ [list]: z.array(item) }));

export function createFreeAgentBooksClient(deps: FreeAgentBooksDeps): FreeAgentBooksClient {
  const { apiUrl = FREEAGENT_API, userAgent, subdomain, modifiedSince, pageSize = MAX_PAGE_SIZE } = deps;
  const headers = { 'user-agent': userAgent, ...(subdomain === undefined ? {} : { 'x-subdomain': subdomain }) };
  const reader = createBooksReader({ ...deps, provider: 'freeagent', headers });

  const toQueryString = (resource: string, parameters: Readonly<Record<string, string>>, perPage: number): string => {
    const since = modifiedSince === undefined || resource === 'bank_accounts' ? {} : { updated_since: modifiedSince };
    return `?${new URLSearchParams({ ...parameters, ...since, per_page: String(perPage) })}`;
  };

  async function* listPages<Item>(resource: string, shape: z.ZodType<Item>, parameters: Record<string, string>): AsyncGenerator<Item[]> {
    const operation = `freeagent.${resource}`;
    let search: string | undefined = toQueryString(resource, parameters, pageSize);
    while (search !== undefined) {
      const responseBody = await reader.get(`${apiUrl}/${resource}${search}`, operation);
      const body = parseResponse(getResponseShape(resource, shape), responseBody.body, 'freeagent', operation);
      const items = body[resource] as Item[];
      if (items.length > 0) yield items;
      // Uses only the link's query, so that a response can't redirect us, and our token, to another host.
      const next: string | undefined = NEXT_LINK.exec(responseBody.headers.get('link') ?? '')?.[1];
      search = next === undefined ? undefined : new URL(next, apiUrl).search;
    }
  }

  return {
    list: (resource, parameters = {}) => {
      const { shape, parameters: fixedParameters } = LISTS[resource];
      return listPages(resource, shape as unknown as z.ZodType<z.infer<Lists[typeof resource]['shape']>>, {
        ...fixedParameters,
        ...parameters,
      });
    },
    countPages: async (resource, parameters = {}) => {
      const { headers: responseHeaders } = await reader.get(
        `${apiUrl}/${resource}${toQueryString(resource, parameters, 1)}`,
        `freeagent.${resource}`,
      );
      const total = responseHeaders.get('x-total-count') ?? '';
      return /^\d{1,9}$/.test(total) ? Math.ceil(Number(total) / pageSize) : undefined;
    },
    getCompany: async () => {
      const { body } = await reader.get(`${apiUrl}/company`, 'freeagent.company');
      return parseResponse(z.object({ company: freeAgentCompanyWire }), body, 'freeagent', 'freeagent.company').company;
    },
    getCategories: async () => {
      const { body } = await reader.get(`${apiUrl}/categories`, 'freeagent.categories');
      return parseResponse(freeAgentCategoriesWire, body, 'freeagent', 'freeagent.categories');
    },
  };
}
