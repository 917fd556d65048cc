/** QuickBooks Online as bookkeeping software for the portal (docs/reference/providers.md section 2). */
import {
  toNumberedObjects,
  type BooksCopier,
  type BooksCopy,
  type BooksProvider,
  type BooksProviderDeps,
  type CopyOptions,
} from '../connected-books/books-provider.ts';
import { createBooksReader } from '../connected-books/books-reader.ts';
import { createIntuitWebhook } from '../connected-books/books-webhook.ts';
import { revokeAccess } from '../connected-books/revoke-access.ts';
import { assertBooksReadable } from '../connected-books/unreadable-documents.ts';
import { encodeBasicCredentials } from '../oidc/client-credentials.ts';
import { INTUIT_ACCOUNTING_SCOPE, realmIdWire } from './intuit-wire.ts';
import { readQuickBooksVatFigure } from './quickbooks-vat-figure.ts';
import {
  createQuickBooksBooksClient,
  QUICKBOOKS_API,
  QUICKBOOKS_DOCUMENTS,
  type QuickBooksBooksClient,
} from './quickbooks-books-client.ts';
import { readQuickBooksBooks } from './read-quickbooks-books.ts';

const WEB_ORIGIN = 'https://qbo.intuit.com';
const REVOKE_ORIGIN = 'https://developer.api.intuit.com';
const UNPAGED_RESOURCES = ['CompanyInfo', 'TaxAgency', 'TaxCode', 'TaxRate'] as const;
const VENDORS = 'Vendor';

/** Pages in QuickBooks' web app. */
const WEB_APP_PAGES: Readonly<Record<string, string>> = {
  Invoice: 'invoice',
  SalesReceipt: 'salesreceipt',
  CreditMemo: 'creditmemo',
  RefundReceipt: 'refundreceipt',
  Bill: 'bill',
  VendorCredit: 'vendorcredit',
  Purchase: 'expense',
  JournalEntry: 'journal',
  Deposit: 'deposit',
};

export function createQuickBooksBooksProvider(deps: BooksProviderDeps): BooksProvider {
  const { signIn, serverUrl, fetch, clientId, clientSecret, webhookKey } = deps;
  const apiUrl = serverUrl ?? QUICKBOOKS_API;
  return {
    signIn,
    scopes: [INTUIT_ACCOUNTING_SCOPE],
    resources: [
      ...UNPAGED_RESOURCES.map((name) => ({ name, isWhole: true })),
      { name: VENDORS, isWhole: false, isOptional: true },
      ...QUICKBOOKS_DOCUMENTS.map((name) => ({ name, isWhole: false })),
    ],
    hidesDeleted: true,
    listOrganisations: async (accessToken, realmId) => {
      if (realmId === undefined) return [];
      const client = createQuickBooksBooksClient({ fetch, apiUrl, realmId, getAccessToken: () => Promise.resolve(accessToken) });
      const [company] = await client.getAll('CompanyInfo');
      return [{ id: realmId, name: company?.CompanyName ?? 'Company without a name', connectionId: undefined }];
    },
    // Each authorisation is for one company.
    describeOrganisation: undefined,
    listClients: undefined,
    createCopier: (options) => createCopier(deps, apiUrl, options),
    readVatFigure: (request) => {
      const { getAccessToken, acquireSlot, organisationId } = request;
      const reader = createBooksReader({
        provider: 'quickbooks',
        fetch,
        getAccessToken,
        ...(acquireSlot === undefined ? {} : { acquireSlot }),
      });
      return readQuickBooksVatFigure(reader, `${apiUrl}/v3/company/${realmIdWire.parse(organisationId)}`, request);
    },
    mapBooks: async (copy, answers) => assertBooksReadable('quickbooks', await readQuickBooksBooks(toClient(copy), answers)),
    findLink: ({ id, type }) => {
      const page = WEB_APP_PAGES[type];
      const number = id.split(' ').at(-1) ?? '';
      return page === undefined ? undefined : `${serverUrl ?? WEB_ORIGIN}/app/${page}?txnId=${encodeURIComponent(number)}`;
    },
    readWebhook: webhookKey === undefined ? undefined : createIntuitWebhook(webhookKey),
    disconnect: async ({ refreshToken }) => {
      await revokeAccess({
        provider: 'intuit',
        url: `${serverUrl ?? REVOKE_ORIGIN}/v2/oauth2/tokens/revoke`,
        fetch,
        request: {
          method: 'POST',
          headers: {
            authorization: encodeBasicCredentials(clientId, clientSecret),
            accept: 'application/json',
            'content-type': 'application/json',
          },
          body: JSON.stringify({ token: refreshToken }),
        },
      });
    },
  };
}

function createCopier({ fetch }: BooksProviderDeps, apiUrl: string, { organisationId, ...options }: CopyOptions): BooksCopier {
  const client = createQuickBooksBooksClient({ ...options, fetch, apiUrl, realmId: organisationId });
  return {
    async *readPages(resource, firstPage) {
      const name = UNPAGED_RESOURCES.find((known) => known === resource);
      if (name) {
        yield toNumberedObjects(await client.getAll(name));
        return;
      }
      const type = QUICKBOOKS_DOCUMENTS.find((known) => known === resource);
      if (!type && resource !== VENDORS) throw new RangeError(`QuickBooks has no resource ${resource}`);
      const pages: AsyncGenerator<{ readonly Id: string }[]> = type ? client.list(type, firstPage) : client.listVendors(firstPage);
      for await (const page of pages) yield page.map((value) => ({ id: value.Id, value }));
    },
  };
}

/** Lets the same mapping read both the copy and QuickBooks. */
function toClient(copy: BooksCopy): QuickBooksBooksClient {
  const list = (resource: string) => copy.pages(resource);
  const listAll = async (resource: string) => {
    const items: unknown[] = [];
    for await (const page of copy.pages(resource)) items.push(...page);
    return items;
  };
  return { list, listVendors: () => copy.pages(VENDORS), getAll: listAll } as unknown as QuickBooksBooksClient;
}
