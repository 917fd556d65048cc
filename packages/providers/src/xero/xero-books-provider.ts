/** Xero as bookkeeping software for the portal (docs/reference/providers.md section 1). */
import { z } from 'zod';
import type {
  BooksCopy,
  BooksCopier,
  BooksOrganisation,
  BooksProvider,
  BooksProviderDeps,
  CopyOptions,
  ListOptions,
} from '../connected-books/books-provider.ts';
import { toNumberedObjects } from '../connected-books/books-provider.ts';
import { createXeroWebhook } from '../connected-books/books-webhook.ts';
import { createBooksReader, parseResponse } from '../connected-books/books-reader.ts';
import { revokeAccess } from '../connected-books/revoke-access.ts';
import { assertBooksReadable } from '../connected-books/unreadable-documents.ts';
import { readXeroBooks } from './read-xero-books.ts';
import { readXeroVatFigure } from './xero-vat-figure.ts';
import { createXeroBooksClient, XERO_BOOKS_SCOPES, type XeroBooksClient } from './xero-books-client.ts';

const API_ORIGIN = 'https://api.xero.com';
const WEB_ORIGIN = 'https://go.xero.com';

const UNPAGED_RESOURCES = ['Organisation', 'TaxRates', 'Accounts'] as const;
/** Each paged resource, with the field that identifies an object. */
const ID_BY_PAGED_RESOURCE = {
  Contacts: 'ContactID',
  Payments: 'PaymentID',
  Prepayments: 'PrepaymentID',
  Overpayments: 'OverpaymentID',
  CreditNotes: 'CreditNoteID',
  Invoices: 'InvoiceID',
  BankTransactions: 'BankTransactionID',
  ManualJournals: 'ManualJournalID',
} as const;
type PagedResource = keyof typeof ID_BY_PAGED_RESOURCE;
/** Connections made before we requested contacts continue to work without them. */
const OPTIONAL_RESOURCES: ReadonlySet<string> = new Set<PagedResource>(['Contacts']);
const PAGED_RESOURCES = Object.keys(ID_BY_PAGED_RESOURCE) as PagedResource[];

const connectionsWire = z.array(
  z.object({ id: z.string(), tenantId: z.string(), tenantType: z.string(), tenantName: z.string().nullish() }),
);

export function createXeroBooksProvider(deps: BooksProviderDeps): BooksProvider {
  const { signIn, serverUrl, fetch, webhookKey } = deps;
  const origin = serverUrl ?? API_ORIGIN;
  const apiUrl = `${origin}/api.xro/2.0`;
  return {
    signIn,
    scopes: XERO_BOOKS_SCOPES,
    resources: [
      ...UNPAGED_RESOURCES.map((name) => ({ name, isWhole: true })),
      ...PAGED_RESOURCES.map((name) => ({ name, isWhole: false, isOptional: OPTIONAL_RESOURCES.has(name) })),
    ],
    // Voided and deleted documents stay in the lists, with that status.
    hidesDeleted: false,
    listOrganisations: (accessToken, _realmId, options) => listOrganisations(deps, `${origin}/connections`, accessToken, options),
    describeOrganisation: async ({ organisationId, ...options }) => {
      const [organisation] = await createXeroBooksClient({ ...options, fetch, apiUrl, tenantId: organisationId }).getAll('Organisation');
      return {
        name: organisation?.Name ?? undefined,
        vatNumber: organisation?.TaxNumber ?? undefined,
        companyNumber: organisation?.RegistrationNumber ?? undefined,
      };
    },
    listClients: undefined,
    createCopier: (options) => createCopier(deps, apiUrl, options),
    readVatFigure: (request) => {
      const { getAccessToken, acquireSlot, organisationId } = request;
      const limit = acquireSlot === undefined ? {} : { acquireSlot };
      const reader = createBooksReader({
        provider: 'xero',
        fetch,
        getAccessToken,
        ...limit,
        headers: { 'xero-tenant-id': organisationId },
      });
      return readXeroVatFigure(reader, apiUrl, request);
    },
    mapBooks: async (copy, answers) => assertBooksReadable('xero', await readXeroBooks(toClient(copy), answers)),
    findLink: ({ id, type }, shortCode) => {
      const path = findPath(type, id);
      if (path === undefined) return undefined;
      const base = serverUrl ?? WEB_ORIGIN;
      // Xero's help for developers, "Deep linking": the short code opens the right organisation.
      if (shortCode === undefined) return base + path;
      return `${base}/organisationlogin/default.aspx?shortcode=${encodeURIComponent(shortCode)}&redirecturl=${encodeURIComponent(path)}`;
    },
    readWebhook: webhookKey === undefined ? undefined : createXeroWebhook(webhookKey),
    disconnect: async ({ accessToken, connectionId }) => {
      if (connectionId === undefined) return;
      await revokeAccess({
        provider: 'xero',
        url: `${origin}/connections/${encodeURIComponent(connectionId)}`,
        fetch,
        request: { method: 'DELETE', headers: { authorization: `Bearer ${accessToken}` } },
      });
    },
  };
}

async function listOrganisations(
  { fetch }: BooksProviderDeps,
  url: string,
  accessToken: string,
  options: ListOptions = {},
): Promise<BooksOrganisation[]> {
  const reader = createBooksReader({ ...options, provider: 'xero', fetch, getAccessToken: () => Promise.resolve(accessToken) });
  const { body } = await reader.get(url, 'xero.connections');
  return parseResponse(connectionsWire, body, 'xero', 'xero.connections')
    .filter(({ tenantType }) => tenantType === 'ORGANISATION')
    .map(({ id, tenantId, tenantName }) => ({ id: tenantId, name: tenantName ?? 'Organisation without a name', connectionId: id }));
}

function createCopier(
  { fetch }: BooksProviderDeps,
  apiUrl: string,
  { organisationId, modifiedSince, ...options }: CopyOptions,
): BooksCopier {
  const base = { ...options, fetch, apiUrl, tenantId: organisationId };
  const unpagedClient = createXeroBooksClient(base);
  const changedSince =
    modifiedSince === undefined
      ? unpagedClient
      : createXeroBooksClient({ ...base, modifiedSince: modifiedSince.replace(/\.\d+Z$|Z$/, '') });
  return {
    async *readPages(resource, firstPage) {
      const name = UNPAGED_RESOURCES.find((known) => known === resource);
      if (name) {
        yield toNumberedObjects(await unpagedClient.getAll(name));
        return;
      }
      const pagedResource = PAGED_RESOURCES.find((known) => known === resource);
      if (!pagedResource) throw new RangeError(`Xero has no resource ${resource}`);
      const pages: AsyncGenerator<object[]> = changedSince.list(pagedResource, firstPage);
      for await (const page of pages)
        yield page.map((value) => ({ id: String(Reflect.get(value, ID_BY_PAGED_RESOURCE[pagedResource])), value }));
    },
  };
}

/** Lets the same mapping read both the copy and Xero. */
function toClient(copy: BooksCopy): XeroBooksClient {
  const list = (resource: string) => copy.pages(resource);
  const listAll = async (resource: string) => {
    const items: unknown[] = [];
    for await (const page of copy.pages(resource)) items.push(...page);
    return items;
  };
  return { list, getAll: listAll } as unknown as XeroBooksClient;
}

/** Pages in Xero's web app (Xero's help for developers, "Deep linking"). */
function findPath(type: string, id: string): string | undefined {
  const query = encodeURIComponent(id);
  if (type === 'ACCREC') return `/AccountsReceivable/View.aspx?InvoiceID=${query}`;
  if (type === 'ACCPAY') return `/AccountsPayable/View.aspx?InvoiceID=${query}`;
  if (type === 'ACCRECCREDIT') return `/AccountsReceivable/ViewCreditNote.aspx?creditNoteID=${query}`;
  if (type === 'ACCPAYCREDIT') return `/AccountsPayable/ViewCreditNote.aspx?creditNoteID=${query}`;
  if (type === 'ManualJournal') return `/Journal/View.aspx?invoiceID=${query}`;
  return type === 'RECEIVE' || type === 'SPEND' ? `/Bank/ViewTransaction.aspx?bankTransactionID=${query}` : undefined;
}
