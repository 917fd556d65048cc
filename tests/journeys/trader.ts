/** Creates traders through the API, so that a journey can start with the part it tests. Each test creates its own. */
import { randomUUID } from 'node:crypto';
import { expect, type APIResponse, type Page } from '@playwright/test';
import { createOrganisation, passIdentityCheck, waitForLink, type Organisation } from './sandbox.ts';

export const password = 'a long enough one';

export type Trader = {
  readonly email: string;
  readonly companyId: string;
  readonly organisation: Organisation;
  /** The past quarter that hasn't been filed. */
  readonly obligation: Obligation;
};

export type Obligation = { readonly obligation_id: string; readonly period_start: string; readonly period_end: string };

export function createEmailAddress(): string {
  return `trader-${randomUUID().slice(0, 8)}@journeys.example`;
}

/** Signs up with an email address and password in this page's browser. */
export async function signUp(page: Page, email: string, partner?: string): Promise<void> {
  await apiRequest(page, 'POST', '/v2/sign-up', { email, full_name: 'Jo Journey', password, ...(partner ? { partner } : {}) });
  const token = new URL(await waitForLink(email)).searchParams.get('token');
  await apiRequest(page, 'POST', '/v2/auth/use-link', { token });
}

/** Signs up and adds a company known to HMRC. */
export async function createCompany(page: Page): Promise<Pick<Trader, 'email' | 'companyId' | 'organisation'>> {
  const email = createEmailAddress();
  const organisation = await createOrganisation();
  await signUp(page, email);
  const form = { name: organisation.name, company_number: organisation.companyNumber, vrn: organisation.vrn };
  const { company_id: companyId } = await apiRequest<{ company_id: string }>(page, 'POST', '/instant-vat/steps/company', form);
  return { email, companyId, organisation };
}

/** Completes every step: HMRC connected, a bank account, and books with a refund of `refundPounds` for the past quarter. */
export async function createTrader(page: Page, refundPounds = 4_000): Promise<Trader> {
  const trader = await createTraderWithoutBooks(page);
  await uploadBooks(page, trader.companyId, writeBooks(trader.obligation, refundPounds));
  return trader;
}

/** Completes every step except the books. */
export async function createTraderWithoutBooks(page: Page): Promise<Trader> {
  const { email, companyId, organisation } = await createCompany(page);
  const connect = { company_id: companyId, return_to: 'dashboard' };
  const { authorize_url: url } = await apiRequest<{ authorize_url: string }>(
    page,
    'POST',
    '/instant-vat/steps/government-gateway/connect',
    connect,
  );
  await page.request.get(`${url}&sandbox_user=${organisation.userId}`);
  await apiRequest(page, 'POST', '/instant-vat/steps/bank-account', {
    company_id: companyId,
    account_holder: organisation.name,
    sort_code: '20-00-00',
    account_number: organisation.vrn.slice(0, 8),
  });
  await verifyIdentity(page);
  const obligation = await findEndedObligation(page, companyId);
  return { email, companyId, organisation, obligation };
}

/** Verifies the identity of the user in this page's browser. */
export async function verifyIdentity(page: Page): Promise<void> {
  const { check_id } = await apiRequest<{ check_id: string }>(page, 'POST', '/instant-vat/identity-check/begin', {});
  await passIdentityCheck(check_id);
  await apiRequest(page, 'GET', '/instant-vat/identity-check');
}

/** Creates a trader with a filed return, which leads to an offer. */
export async function createFiledTrader(page: Page, refundPounds?: number): Promise<Trader> {
  const trader = await createTrader(page, refundPounds);
  const { companyId, obligation } = trader;
  const input = { company_id: companyId, obligation_id: obligation.obligation_id };
  const { figures_version } = await apiRequest<{ figures_version: string }>(
    page,
    'GET',
    `/instant-vat/vat-return?${new URLSearchParams(input)}`,
  );
  await apiRequest(page, 'POST', '/instant-vat/vat-return/file', { ...input, figures_version, declaration_accepted: true });
  return trader;
}

type Advance = { readonly advance_id: string; readonly version: number; readonly agreement: { readonly hash: string } };

/** Creates a trader who has accepted the offer but not changed the account at HMRC. */
export async function createAcceptedTrader(page: Page, refundPounds?: number): Promise<Trader & { readonly advanceId: string }> {
  const trader = await createFiledTrader(page, refundPounds);
  const { companyId } = trader;
  const quote = await apiRequest<{ advance: Advance }>(page, 'GET', `/instant-vat/advance?company_id=${companyId}`);
  const { advance_id, version, agreement } = quote.advance;
  await apiRequest(page, 'POST', '/instant-vat/advance/accept', {
    company_id: companyId,
    advance_id,
    version,
    agreement_hash: agreement.hash,
  });
  return { ...trader, advanceId: advance_id };
}

/** Refreshes from HMRC as the dashboard does. Retries at HMRC's rate limit, because creating test organisations counts towards it. */
export async function findEndedObligation(page: Page, companyId: string): Promise<Obligation> {
  await expect(async () => {
    const { status } = await apiRequest<{ status: string }>(page, 'POST', '/instant-vat/hmrc/refresh', { company_id: companyId });
    expect(status).toBe('refreshed');
  }).toPass({ timeout: 60_000 });
  type Dashboard = { today: string; obligations: (Obligation & { status: string })[] };
  const { today, obligations } = await apiRequest<Dashboard>(page, 'GET', `/instant-vat/dashboard?company_id=${companyId}`);
  const endedObligation = obligations.find(({ status, period_end }) => status === 'open' && period_end < today);
  if (!endedObligation) throw new Error('HMRC lists no open period that has ended');
  return endedObligation;
}

export async function uploadBooks(page: Page, companyId: string, csv: string): Promise<void> {
  const query = new URLSearchParams({ company_id: companyId, file_name: 'books.csv' });
  const response = await page.request.post(`/portal/instant-vat/books/file?${query}`, {
    headers: { 'content-type': 'text/csv' },
    data: csv,
  });
  await expectOk(response);
}

/**
 * Writes books with zero-rated sales of £50,000 and one standard-rated purchase whose VAT is refunded. Box 4 is the refund, box 6 is
 * 50,000, and box 7 is five times the refund.
 */
export function writeBooks({ period_start, period_end }: Obligation, refundPounds: number): string {
  return [
    'date,kind,reference,counterparty,description,net,vat,treatment',
    `${period_start},sale,INV-1,Oslo Lamper AS,Lamps,50000.00,0.00,zero`,
    `${period_end},purchase,B-1,Severn Glassworks Ltd,Shades,${refundPounds * 5}.00,${refundPounds}.00,standard`,
    '',
  ].join('\n');
}

const device = encodeURIComponent(
  JSON.stringify({
    user_agent: 'Mozilla/5.0 (journeys)',
    screens: [{ width: 1920, height: 1080, scaling_factor: 1, colour_depth: 24 }],
    window: { width: 1440, height: 900 },
    utc_offset_minutes: 0,
  }),
);

/** Makes one API call with this page's cookies. */
export async function apiRequest<Body>(page: Page, method: 'GET' | 'POST', path: string, body?: object): Promise<Body> {
  const response = await page.request.fetch(`/portal${path}`, {
    method,
    headers: { 'portal-device': device, 'idempotency-key': randomUUID() },
    ...(body === undefined ? {} : { data: body }),
  });
  await expectOk(response);
  return (await response.json()) as Body;
}

async function expectOk(response: APIResponse): Promise<void> {
  if (!response.ok()) throw new Error(`${response.url()} returned ${response.status()}: ${await response.text()}`);
}
