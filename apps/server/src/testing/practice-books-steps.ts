/** For tests: connects bookkeeping software for all clients of a practice. */
import type { BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { BooksGrant, practiceBooksApi } from '@portal/contract/practice-books.ts';
import type { Browser } from './test-trader.ts';
import { openTestBrowser } from './test-browser.ts';
import type { TestPortal } from './open-test-portal.ts';

type Person = { readonly companyId: string; readonly cookie: string };

/** Connects as the user and returns the URL that the portal redirects the browser to. */
export async function connectGrant(
  portal: TestPortal,
  { companyId, cookie }: Person,
  provider: BooksProviderName,
  email: string,
  path = '/open-tax/client-books/connect',
  input: object = {},
): Promise<string> {
  const browser = openTestBrowser(portal, { cookies: { portal_session: cookie.slice('portal_session='.length) } });
  const { body, status } = await browser.post(path, { company_id: companyId, program: provider, ...input });
  if (status !== 200) return `${status}`;
  const url = new URL(String(body['authorize_url']));
  url.searchParams.set('sandbox_user', email);
  const redirect = (await fetch(url, { redirect: 'manual' })).headers.get('location');
  const callback = new URL(redirect ?? 'http://localhost/no-redirect');
  const arrivedResponse = await browser.get(callback.pathname + callback.search);
  return arrivedResponse.location ?? `${arrivedResponse.status}`;
}

export async function getGrant(browser: Browser, companyId: string, provider: BooksProviderName): Promise<BooksGrant | undefined> {
  const { body } = await browser.get('/open-tax/client-books', { company_id: companyId });
  return (body['grants'] as BooksGrant[]).find((grant) => grant.program === provider);
}

export async function listOrganisations(
  browser: Browser,
  companyId: string,
): Promise<EndpointOutput<typeof practiceBooksApi.organisations>> {
  const { body } = await browser.get('/open-tax/client-books/organisations', { company_id: companyId });
  return body as EndpointOutput<typeof practiceBooksApi.organisations>;
}
