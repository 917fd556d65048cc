/** The resources, simulator and real client of each source. */
import type { ConnectedBooks } from '@portal/providers/connected-books/connected-books.ts';
import { createFreeAgentBooksClient } from '@portal/providers/freeagent/freeagent-books-client.ts';
import { readFreeAgentBooks } from '@portal/providers/freeagent/read-freeagent-books.ts';
import { createQuickBooksBooksClient, QUICKBOOKS_DOCUMENTS } from '@portal/providers/intuit/quickbooks-books-client.ts';
import { readQuickBooksBooks } from '@portal/providers/intuit/read-quickbooks-books.ts';
import { readXeroBooks } from '@portal/providers/xero/read-xero-books.ts';
import { createXeroBooksClient } from '@portal/providers/xero/xero-books-client.ts';
import { createFreeAgentBooksSimulator } from '@portal/sandbox/freeagent/freeagent-books-simulator.ts';
import { createQuickBooksBooksSimulator } from '@portal/sandbox/intuit/quickbooks-books-simulator.ts';
import type { HostedSimulator } from '@portal/sandbox/simulator/host-simulators.ts';
import { type Recordings, serveOne } from '@portal/sandbox/simulator/recordings.ts';
import { createXeroBooksSimulator } from '@portal/sandbox/xero/xero-books-simulator.ts';
import type { SourceName } from './source-names.ts';

type HostedSource = HostedSimulator & { readonly read: (url: string) => Promise<ConnectedBooks> };
type BooksSource = { readonly files: readonly string[]; readonly host: (recordings: Recordings) => HostedSource };

/** Small, so that every list takes several pages. */
const PAGE_SIZE = 7;
const ACCESS_TOKEN = 'recordings';
const COMPANY_ID = '9130350116981876';

const client = { fetch, getAccessToken: () => Promise.resolve(ACCESS_TOKEN) };

export const BOOKS_SOURCES: Readonly<Record<SourceName, BooksSource>> = {
  xero: {
    files: [
      'Organisation',
      'TaxRates',
      'Accounts',
      'Contacts',
      'Invoices',
      'CreditNotes',
      'BankTransactions',
      'Overpayments',
      'Prepayments',
      'Payments',
      'ManualJournals',
    ],
    host: (recordings) => ({
      basePath: '/api.xro/2.0',
      plugin: createXeroBooksSimulator({ find: serveOne(recordings, ACCESS_TOKEN, COMPANY_ID) }),
      read: (apiUrl) => readXeroBooks(createXeroBooksClient({ ...client, apiUrl, tenantId: COMPANY_ID, pageSize: PAGE_SIZE })),
    }),
  },
  quickbooks: {
    files: ['CompanyInfo', 'TaxAgency', 'TaxCode', 'TaxRate', 'Vendor', ...QUICKBOOKS_DOCUMENTS],
    host: (recordings) => ({
      basePath: '',
      plugin: createQuickBooksBooksSimulator({ find: serveOne(recordings, ACCESS_TOKEN, COMPANY_ID) }),
      read: (apiUrl) => readQuickBooksBooks(createQuickBooksBooksClient({ ...client, apiUrl, realmId: COMPANY_ID, pageSize: PAGE_SIZE })),
    }),
  },
  freeagent: {
    files: [
      'company',
      'contacts',
      'invoices',
      'credit_notes',
      'bills',
      'expenses',
      'bank_accounts',
      'bank_transaction_explanations',
      'vat_returns',
      'categories',
    ],
    host: (recordings) => ({
      basePath: '/v2',
      plugin: createFreeAgentBooksSimulator({ find: serveOne(recordings, ACCESS_TOKEN) }),
      read: (apiUrl) =>
        readFreeAgentBooks(createFreeAgentBooksClient({ ...client, apiUrl, userAgent: 'boxes command', pageSize: PAGE_SIZE })),
    }),
  },
};
