/** FreeAgent as bookkeeping software for the portal (docs/reference/providers.md section 3). */
import {
  toNumberedObjects,
  type BooksCopy,
  type BooksProvider,
  type BooksProviderDeps,
  type ListedClient,
  type ListOptions,
} from '../connected-books/books-provider.ts';
import { assertBooksReadable } from '../connected-books/unreadable-documents.ts';
import { createFreeAgentBooksClient, type FreeAgentBooksClient, type FreeAgentBooksDeps } from './freeagent-books-client.ts';
import { readFreeAgentVatFigure } from './freeagent-vat-figure.ts';
import type { FreeAgentPracticeClientWire } from './freeagent-books-wire.ts';
import { FREEAGENT_API } from './freeagent-wire.ts';
import { getObjectPath } from './freeagent-settlements.ts';
import { readFreeAgentBooks } from './read-freeagent-books.ts';

const UNPAGED_RESOURCES = ['company', 'categories'] as const;
const LISTS = ['contacts', 'bank_transaction_explanations', 'invoices', 'credit_notes', 'bills', 'expenses'] as const;
/** Resources that have a page in FreeAgent's web app, under the same name. */
const RESOURCES_WITH_PAGE: ReadonlySet<string> = new Set(['invoices', 'credit_notes', 'bills', 'expenses']);

/** How access differs between the authorising user's company and a practice's clients. */
type Access = Pick<BooksProvider, 'listOrganisations' | 'describeOrganisation' | 'listClients'> & {
  /** The client on whose behalf calls are made. */
  readonly toSubdomain: (organisationId: string) => { readonly subdomain?: string };
};

export function createFreeAgentBooksProvider(deps: BooksProviderDeps): BooksProvider {
  return createProvider(deps, {
    listOrganisations: async (accessToken, _realmId, options) => {
      const company = await createClient(deps, { ...options, getAccessToken: () => Promise.resolve(accessToken) }).getCompany();
      const name = company.name ?? 'Company without a name';
      return [{ id: company.subdomain ?? name, name, connectionId: undefined }];
    },
    // There is only one company, the user's own.
    describeOrganisation: undefined,
    listClients: undefined,
    toSubdomain: () => ({}),
  });
}

/**
 * The clients that a practice's account manager can see in FreeAgent, each identified by its subdomain
 * (dev.freeagent.com/docs/accountancy_practice_api).
 */
export function createFreeAgentPracticeProvider(deps: BooksProviderDeps): BooksProvider {
  return createProvider(deps, {
    listOrganisations: async (accessToken, _realmId, options) => {
      const current = await readPracticeClients(deps, accessToken, CURRENT_VIEWS, options);
      const allClients = new Map([...(await readPracticeClients(deps, accessToken, ['all'], options)), ...current]);
      return [...allClients.values()].map(({ subdomain, name }) => ({
        id: subdomain,
        name: name ?? subdomain,
        connectionId: undefined,
        isFormer: !current.has(subdomain),
      }));
    },
    listClients: async (accessToken, options) =>
      [...(await readPracticeClients(deps, accessToken, CURRENT_VIEWS, options)).values()].map(toListedClient),
    describeOrganisation: async ({ organisationId: subdomain, ...options }) => {
      const company = await createClient(deps, { ...options, subdomain }).getCompany();
      return {
        name: company.name ?? undefined,
        vatNumber: company.sales_tax_registration_number ?? undefined,
        companyNumber: company.company_registration_number ?? undefined,
      };
    },
    toSubdomain: (subdomain) => ({ subdomain }),
  });
}

type PracticeClient = FreeAgentPracticeClientWire & { readonly subdomain: string };

/**
 * The practice's clients, and companies that pay for FreeAgent themselves and gave the practice access. Excludes inactive and closed
 * clients, and demos.
 */
const CURRENT_VIEWS = ['active', 'linked'] as const;

/** Keyed by subdomain, in the order they were added, so that a new client doesn't move others to a page that has already been read. */
async function readPracticeClients(
  deps: BooksProviderDeps,
  accessToken: string,
  views: readonly ((typeof CURRENT_VIEWS)[number] | 'all')[],
  options: ListOptions = {},
): Promise<Map<string, PracticeClient>> {
  const client = createClient(deps, { ...options, getAccessToken: () => Promise.resolve(accessToken) });
  const clients = new Map<string, PracticeClient>();
  for (const view of views) {
    for await (const page of client.list('clients', { view, sort: 'created_at' })) {
      for (const item of page) if (item.subdomain) clients.set(item.subdomain, { ...item, subdomain: item.subdomain });
    }
  }
  return clients;
}

function toListedClient(client: PracticeClient): ListedClient {
  const lastPeriod = client.annual_accounting_periods?.at(-1)?.ends_on;
  return {
    name: client.name ?? client.subdomain,
    kind: client.type ?? undefined,
    vatNumber: client.sales_tax_registration_number ?? undefined,
    companyNumber: client.company_registration_number ?? undefined,
    yearEnd: lastPeriod ?? client.first_accounting_year_end ?? undefined,
    postcode: client.postcode ?? undefined,
    email: client.contact_email ?? undefined,
    phone: client.contact_phone ?? undefined,
  };
}

type ClientOptions = Omit<FreeAgentBooksDeps, 'fetch' | 'apiUrl' | 'userAgent'>;

function createClient({ serverUrl, fetch, userAgent }: BooksProviderDeps, options: ClientOptions): FreeAgentBooksClient {
  const apiUrl = serverUrl === undefined ? FREEAGENT_API : `${serverUrl}/v2`;
  return createFreeAgentBooksClient({ ...options, fetch, apiUrl, userAgent });
}

function createProvider(deps: BooksProviderDeps, { toSubdomain, ...organisations }: Access): BooksProvider {
  const { signIn, serverUrl } = deps;
  return {
    signIn,
    ...organisations,
    // FreeAgent doesn't have scopes.
    scopes: [],
    resources: [
      ...UNPAGED_RESOURCES.map((name) => ({ name, isWhole: true })),
      ...LISTS.map((name) => ({ name, isWhole: false, isOptional: name === 'contacts' })),
    ],
    hidesDeleted: true,
    createCopier: ({ organisationId, ...options }) => {
      const client = createClient(deps, { ...options, ...toSubdomain(organisationId) });
      return { readPages: (resource, firstPage) => readPages(client, resource, firstPage) };
    },
    readVatFigure: (request) => {
      const { getAccessToken, acquireSlot, organisationId } = request;
      const limit = acquireSlot === undefined ? {} : { acquireSlot };
      return readFreeAgentVatFigure(createClient(deps, { getAccessToken, ...limit, ...toSubdomain(organisationId) }), request);
    },
    mapBooks: async (copy, answers) => assertBooksReadable('freeagent', await readFreeAgentBooks(toClient(copy), answers)),
    findLink: ({ id }, subdomain) => {
      const [resource = '', number = ''] = getObjectPath(id).split('/');
      if (!RESOURCES_WITH_PAGE.has(resource) || subdomain === undefined) return undefined;
      const base = serverUrl ?? `https://${subdomain}.freeagent.com`;
      return `${base}/${resource}/${encodeURIComponent(number)}`;
    },
    // FreeAgent doesn't have a call for this, so the user removes the app in FreeAgent.
    disconnect: undefined,
    readWebhook: undefined,
  };
}

async function* readPages(client: FreeAgentBooksClient, resource: string, firstPage: number) {
  if (resource === 'company') yield toNumberedObjects([await client.getCompany()]);
  else if (resource === 'categories') yield toNumberedObjects([await client.getCategories()]);
  else if (resource === 'bank_transaction_explanations') yield* readBankEntries(client, firstPage);
  else {
    const name = LISTS.find((known) => known === resource);
    if (!name) throw new RangeError(`FreeAgent has no resource ${resource}`);
    const pages: AsyncGenerator<{ readonly url: string }[]> = client.list(name, { page: String(firstPage) });
    for await (const items of pages) yield items.map((value) => ({ id: value.url, value }));
  }
}

/** Pages are counted across all bank accounts. Completed accounts are skipped by their number of pages, which takes one call each. */
async function* readBankEntries(client: FreeAgentBooksClient, firstPage: number) {
  const resource = 'bank_transaction_explanations';
  let pagesToSkip = firstPage - 1;
  for await (const accounts of client.list('bank_accounts')) {
    for (const { url, currency } of accounts) {
      const accountQuery = { bank_account: url };
      const pages = pagesToSkip === 0 ? undefined : await client.countPages(resource, accountQuery);
      if (pages !== undefined && pages <= pagesToSkip) {
        pagesToSkip -= pages;
        continue;
      }
      // If the number of pages is unknown, the pages to skip are read and counted instead.
      const first = pages === undefined ? 1 : pagesToSkip + 1;
      if (pages !== undefined) pagesToSkip = 0;
      for await (const items of client.list(resource, { ...accountQuery, page: String(first) })) {
        if (pagesToSkip > 0) pagesToSkip -= 1;
        else yield items.map((value) => ({ id: value.url, value: { ...value, account_currency: currency } }));
      }
    }
  }
}

/**
 * Lets the same mapping read both the copy and FreeAgent. The copy has no bank accounts: their entries are in one list, each with its
 * currency.
 */
function toClient(copy: BooksCopy): FreeAgentBooksClient {
  const getFirst = async (resource: string) => {
    for await (const [first] of copy.pages(resource)) return first;
    return {};
  };
  async function* listAccounts() {
    yield [{ url: 'copy' }];
  }
  const list = (resource: string) => (resource === 'bank_accounts' ? listAccounts() : copy.pages(resource));
  return { list, getCompany: () => getFirst('company'), getCategories: () => getFirst('categories') } as unknown as FreeAgentBooksClient;
}
