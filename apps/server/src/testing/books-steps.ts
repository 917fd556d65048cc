/** For tests: connects a trader's books at the simulated bookkeeping software. */
import type { BooksConnectionState } from '@portal/contract/books-connection.ts';
import type { BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import { pence } from '@portal/domain/money.ts';
import type { NewOrganisation } from '@portal/sandbox/books/sandbox-books.ts';
import { openTestBrowser } from './test-browser.ts';
import type { TestPortal } from './open-test-portal.ts';
import type { Trader } from './test-trader.ts';

const SIGN_IN = { xero: 'xero', quickbooks: 'intuit', freeagent: 'freeagent' } as const;

export type BooksSetup = { readonly email: string; readonly organisationId: string };

/**
 * Adds an organisation with the trader's VAT number in the bookkeeping software, with one sale and one purchase that give a refund of
 * `refundPounds` for the period that has ended.
 */
/** Test files share the portal's code, which counts each organisation's calls, so no two organisations have the same ID. */
let organisationCount = 0;

export function seedOrganisation(
  portal: TestPortal,
  provider: BooksProviderName,
  { vrn, obligation }: Pick<Trader, 'vrn' | 'obligation'>,
  { refundPounds = 4_000, ...settings }: Partial<NewOrganisation> & { readonly refundPounds?: number } = {},
): BooksSetup {
  const books = portal.identity.books[provider];
  const number = String(7_000_000 + organisationCount);
  organisationCount += 1;
  const email = settings.ownerEmail ?? `books-${provider}-${number}@tess.example`;
  const organisationId = settings.id ?? number;
  books.putOrganisation({
    name: 'Tess Exports Ltd',
    vatNumber: vrn,
    vatPeriodEnd: obligation.periodEnd,
    ...settings,
    id: organisationId,
    ownerEmail: email,
  });
  const { periodStart, periodEnd } = obligation;
  const sale = {
    id: '1',
    kind: 'sale' as const,
    reference: 'INV-1',
    counterparty: 'Oslo AS',
    netPence: pence(5_000_000),
    vatPence: pence(0),
  };
  books.putEntry(organisationId, { ...sale, date: periodStart });
  const purchase = {
    id: '2',
    reference: 'B-1',
    counterparty: 'Glass Ltd',
    netPence: pence(refundPounds * 500),
    vatPence: pence(refundPounds * 100),
  };
  books.putEntry(organisationId, { ...purchase, date: periodEnd });
  const companies = [{ realmId: organisationId, name: 'Tess Exports Ltd' }];
  const providerPerson = { email, fullName: 'Tess Trader', emailVerified: true, companies };
  portal.identity.signIn[SIGN_IN[provider]].seedPerson(providerPerson);
  if (provider === 'freeagent') portal.identity.freeAgentPractice.seedPerson(providerPerson);
  return { email, organisationId };
}

type ConnectOptions = { readonly answer?: 'deny' | 'without_scope'; readonly returnsElsewhere?: boolean };

/** Connects as the trader and returns the URL that the portal redirects the browser to. */
export async function connectBooks(
  portal: TestPortal,
  trader: Trader,
  provider: BooksProviderName,
  { email }: BooksSetup,
  { answer, returnsElsewhere = false }: ConnectOptions = {},
): Promise<string> {
  const cookies = { portal_session: trader.cookie.slice('portal_session='.length) };
  const browser = openTestBrowser(portal, { cookies });
  const { body, status } = await browser.post('/instant-vat/books/connection/connect', { company_id: trader.companyId, program: provider });
  if (status !== 200) return `${status}`;
  const url = new URL(String(body['authorize_url']));
  url.searchParams.set('sandbox_user', email);
  if (answer === 'without_scope') url.searchParams.set('scope', 'openid profile email offline_access');
  const state = url.searchParams.get('state') ?? '';
  const deniedUrl = `http://localhost/portal/books/callback/${provider}?${new URLSearchParams({ error: 'access_denied', state })}`;
  const redirect = answer === 'deny' ? deniedUrl : (await fetch(url, { redirect: 'manual' })).headers.get('location');
  const callback = new URL(redirect ?? 'http://localhost/no-redirect');
  const callbackBrowser = returnsElsewhere ? openTestBrowser(portal, { cookies }) : browser;
  const arrivedResponse = await callbackBrowser.get(callback.pathname + callback.search);
  return arrivedResponse.location ?? `${arrivedResponse.status}`;
}

export async function getBooksState({ browser, companyId }: Trader): Promise<BooksConnectionState> {
  const { body } = await browser.get('/instant-vat/books/connection', { company_id: companyId });
  return body as BooksConnectionState;
}

/** Returns the figures of the trader's open return, as shown on its page. */
export async function getReturn({ browser, companyId, obligation }: Trader): Promise<Record<string, unknown>> {
  return (await browser.get('/instant-vat/vat-return', { company_id: companyId, obligation_id: obligation.id })).body;
}
