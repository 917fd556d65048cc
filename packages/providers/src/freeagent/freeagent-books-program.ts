/** FreeAgent's books for the portal (docs/reference/providers.md section 3). */
import { numberObjects, type BooksCopy, type BooksProgram, type BooksProgramDeps } from '../connected-books/books-program.ts';
import { requireReadable } from '../connected-books/unreadable-documents.ts';
import { createFreeAgentBooksClient, type FreeAgentBooksClient } from './freeagent-books-client.ts';
import { readFreeAgentVatFigure } from './freeagent-vat-figure.ts';
import { FREEAGENT_API } from './freeagent-wire.ts';
import { readFreeAgentBooks } from './read-freeagent-books.ts';

const WHOLE = ['company', 'categories'] as const;
const DOCUMENTS = ['bank_transaction_explanations', 'invoices', 'credit_notes', 'bills', 'expenses'] as const;
/** Resources that have a page in FreeAgent's web app, under the same name. */
const WITH_PAGE: ReadonlySet<string> = new Set(['invoices', 'credit_notes', 'bills', 'expenses']);

export function createFreeAgentBooksProgram({ signIn, serverUrl, fetch, userAgent }: BooksProgramDeps): BooksProgram {
  const apiUrl = serverUrl === undefined ? FREEAGENT_API : `${serverUrl}/v2`;
  return {
    signIn,
    // FreeAgent has no scopes.
    scopes: [],
    resources: [...WHOLE.map((name) => ({ name, isWhole: true })), ...DOCUMENTS.map((name) => ({ name, isWhole: false }))],
    hidesDeleted: true,
    listOrganisations: async (accessToken) => {
      const company = await createFreeAgentBooksClient({
        fetch,
        apiUrl,
        userAgent,
        getAccessToken: () => Promise.resolve(accessToken),
      }).getCompany();
      const name = company.name ?? 'Company without a name';
      return [{ id: company.subdomain ?? name, name, connectionId: undefined }];
    },
    // The person's own company is the only one.
    describeOrganisation: undefined,
    createCopier: ({ organisationId: _ownCompany, ...options }) => {
      const client = createFreeAgentBooksClient({ ...options, fetch, apiUrl, userAgent });
      return { readPages: (resource, firstPage) => readPages(client, resource, firstPage) };
    },
    readVatFigure: (request) => {
      const { getAccessToken, acquireSlot } = request;
      const limit = acquireSlot === undefined ? {} : { acquireSlot };
      return readFreeAgentVatFigure(createFreeAgentBooksClient({ fetch, apiUrl, userAgent, getAccessToken, ...limit }), request);
    },
    mapBooks: async (copy, answers) => {
      // FreeAgent's statuses have no custom rates, so nothing is asked.
      void answers;
      return requireReadable('freeagent', await readFreeAgentBooks(toClient(copy)));
    },
    findLink: ({ id }, subdomain) => {
      const [resource = '', number = ''] = id.split('/').slice(-2);
      if (!WITH_PAGE.has(resource) || subdomain === undefined) return undefined;
      const base = serverUrl ?? `https://${subdomain}.freeagent.com`;
      return `${base}/${resource}/${encodeURIComponent(number)}`;
    },
    // FreeAgent has no call for this: the person removes the app in FreeAgent.
    disconnect: undefined,
    readWebhook: undefined,
  };
}

async function* readPages(client: FreeAgentBooksClient, resource: string, firstPage: number) {
  if (resource === 'company') yield numberObjects([await client.getCompany()]);
  else if (resource === 'categories') yield numberObjects([await client.getCategories()]);
  else if (resource === 'bank_transaction_explanations') yield* readBankEntries(client, firstPage);
  else {
    const name = DOCUMENTS.find((known) => known === resource);
    if (!name) throw new RangeError(`FreeAgent has no resource ${resource}`);
    const pages: AsyncGenerator<{ readonly url: string }[]> = client.list(name, { page: String(firstPage) });
    for await (const items of pages) yield items.map((value) => ({ id: value.url, value }));
  }
}

/** Pages are counted over all bank accounts, so accounts that were read are skipped by the number of their pages: one call each. */
async function* readBankEntries(client: FreeAgentBooksClient, firstPage: number) {
  const resource = 'bank_transaction_explanations';
  let toSkip = firstPage - 1;
  for await (const accounts of client.list('bank_accounts')) {
    for (const { url, currency } of accounts) {
      const ofAccount = { bank_account: url };
      const pages = toSkip === 0 ? undefined : await client.countPages(resource, ofAccount);
      if (pages !== undefined && pages <= toSkip) {
        toSkip -= pages;
        continue;
      }
      // Without a number of pages, those to skip are read and counted.
      const first = pages === undefined ? 1 : toSkip + 1;
      if (pages !== undefined) toSkip = 0;
      for await (const items of client.list(resource, { ...ofAccount, page: String(first) })) {
        if (toSkip > 0) toSkip -= 1;
        else yield items.map((value) => ({ id: value.url, value: { ...value, account_currency: currency } }));
      }
    }
  }
}

/** The same mapping reads the copy as reads FreeAgent. The copy has no bank accounts: their entries are one list, each with its currency. */
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
