/**
 * Creates a trader for tests through the product's own API: signed up by link, connected to the HMRC simulator, with books and a bank
 * account.
 */
import { companies, memberships, obligations, operators, sessions, users } from '@portal/db/schema/schema.ts';
import { OPERATOR_ROLES, type OperatorRole } from '@portal/domain/identity/operator-roles.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { and, asc, desc, eq, lt } from '@portal/db/sql.ts';
import { toRegisterCompany } from '@portal/sandbox/companies-house/register-company.ts';
import type { InjectOptions } from 'fastify';
import { completeAuthorisation } from '../features/hmrc-connection/complete-authorisation.ts';
import type { TestPortal } from './open-test-portal.ts';

/** The name of all test traders' companies, at Companies House, HMRC and the bank. */
const COMPANY_NAME = 'Tess Exports Ltd';

export type ApiResponse = { readonly status: number; readonly body: Record<string, unknown>; readonly cookie: string | undefined };

export type Browser = {
  get(path: string, query?: Record<string, string>): Promise<ApiResponse>;
  post(path: string, body: object, headers?: Record<string, string>): Promise<ApiResponse>;
  upload(path: string, query: Record<string, string>, body: string | Buffer): Promise<ApiResponse>;
};

const DEVICE = encodeURIComponent(
  JSON.stringify({
    user_agent: 'Mozilla/5.0 (test)',
    screens: [{ width: 1920, height: 1080, scaling_factor: 1, colour_depth: 24 }],
    window: { width: 1200, height: 800 },
    utc_offset_minutes: 0,
  }),
);

/** Sends requests with one user's cookie, or as a visitor without one. */
export function createBrowser(portal: Pick<TestPortal, 'app'>, cookie?: string): Browser {
  const send = async (options: InjectOptions): Promise<ApiResponse> => {
    const response = await portal.app.inject({
      ...options,
      headers: { ...options.headers, 'portal-device': DEVICE, 'x-forwarded-for': '198.51.100.7', ...(cookie ? { cookie } : {}) },
    });
    const session = response.cookies.find(({ name }) => name === 'portal_session');
    const isJson = String(response.headers['content-type'] ?? '').includes('json');
    return {
      status: response.statusCode,
      body: isJson && response.body ? (response.json() as Record<string, unknown>) : {},
      cookie: session && `portal_session=${session.value}`,
    };
  };
  return {
    get: (path, query = {}) => send({ method: 'GET', url: `/portal${path}`, query }),
    post: (path, body, headers = {}) => send({ method: 'POST', url: `/portal${path}`, payload: body, headers }),
    upload: (path, query, body) =>
      send({ method: 'POST', url: `/portal${path}`, query, payload: body, headers: { 'content-type': 'text/csv' } }),
  };
}

/** Signs up and logs in with the emailed link. */
export async function signUp(
  portal: TestPortal,
  email: string,
  { partner, fullName = 'Tess Trader' }: { partner?: string; fullName?: string } = {},
): Promise<{ cookie: string; browser: Browser }> {
  const visitor = createBrowser(portal);
  await visitor.post('/v2/sign-up', { email, full_name: fullName, password: 'a long enough one', ...(partner ? { partner } : {}) });
  await portal.runJobs();
  const sentEmail = portal.sentEmails.findLast(({ to }) => to === email);
  const token = /token=([\w-]+)/.exec(sentEmail?.text ?? '')?.[1] ?? '';
  const { cookie } = await visitor.post('/v2/auth/use-link', { token });
  if (cookie === undefined) throw new Error('the sign-in link failed');
  return { cookie, browser: createBrowser(portal, cookie) };
}

/** Makes a user an operator who has confirmed a second factor in this session, which needs database access. Every role by default. */
export async function createOperator(portal: TestPortal, email: string, roles: readonly OperatorRole[] = OPERATOR_ROLES): Promise<Browser> {
  return createBrowser(portal, await createOperatorAccount(portal, email, roles));
}

/** Returns the cookie of the operator's session. */
export async function createOperatorAccount(
  portal: TestPortal,
  email: string,
  roles: readonly OperatorRole[] = OPERATOR_ROLES,
): Promise<string> {
  const { cookie } = await signUp(portal, email, { fullName: `${toName(email)} Operator` });
  const { database, clock, wallClock } = portal.deps;
  const [user] = await database.db.select({ id: users.id }).from(users).where(eq(users.email, email));
  await makeOperator(portal, user?.id ?? '', roles);
  const factor = { secondFactorType: 'TOTP', secondFactorAt: clock.now(), factorAt: wallClock.now() } as const;
  await database.db
    .update(sessions)
    .set(factor)
    .where(eq(sessions.userId, user?.id ?? ''));
  return cookie;
}

/** Creates an enrolled operator, whose sessions haven't confirmed a factor yet. */
export async function makeOperator(portal: TestPortal, userId: string, roles: readonly OperatorRole[] = OPERATOR_ROLES): Promise<void> {
  const at = portal.deps.clock.now();
  await portal.deps.database.db.insert(operators).values({ userId, roles: [...roles], invitedAt: at, enrolledAt: at });
}

export type Trader = {
  readonly browser: Browser;
  /** The owner's name. Each trader is another person, so that what one owes isn't held against the others. */
  readonly fullName: string;
  readonly cookie: string;
  readonly companyId: string;
  readonly vrn: string;
  /** The user id at the HMRC simulator. */
  readonly hmrcUserId: string;
  /** The open obligation for the period that has ended. */
  readonly obligation: { readonly id: string; readonly periodStart: PlainDate; readonly periodEnd: PlainDate; readonly periodKey: string };
};

/**
 * Creates a trader who came from a partner's landing page, files with other software and connects HMRC. The return for `refundPounds` has
 * already been filed (null: not filed yet).
 */
export async function createBridgingTrader(
  portal: TestPortal,
  email: string,
  { partner = 'gofile', refundPounds = 4_000, daysAgo = 2 }: { partner?: string; refundPounds?: number | null; daysAgo?: number } = {},
): Promise<Trader> {
  const fullName = createFullName(email);
  const { browser, cookie } = await signUp(portal, email, { partner, fullName });
  const organisation = await makeOrganisation(portal, fullName);
  if (refundPounds !== null) portal.hmrc.fileElsewhere(organisation.vrn, { refundPence: refundPounds * 100, daysAgo });
  const company = { name: COMPANY_NAME, company_number: organisation.companyNumber, vrn: organisation.vrn };
  const companyId = String((await browser.post('/instant-vat/steps/company', company)).body['company_id']);
  await authorisePortal(portal, browser, companyId, organisation.userId);
  await addBankAccount(browser, companyId);
  await passIdentityCheck(portal, browser);
  await browser.post('/instant-vat/hmrc/refresh', { company_id: companyId });
  await portal.runJobs();
  const obligation = await findLastEnded(portal, companyId);
  return { browser, fullName, cookie, companyId, vrn: organisation.vrn, hmrcUserId: organisation.userId, obligation };
}

async function findLastEnded(portal: TestPortal, companyId: string): Promise<Trader['obligation']> {
  const [row] = await portal.deps.database.db
    .select()
    .from(obligations)
    .where(and(eq(obligations.companyId, companyId), lt(obligations.periodEnd, portal.deps.clock.today())))
    .orderBy(desc(obligations.periodEnd));
  if (!row) throw new Error('the HMRC simulator lists no period that has ended');
  return row;
}

export function addBankAccount(browser: Browser, companyId: string): Promise<ApiResponse> {
  return browser.post('/instant-vat/steps/bank-account', {
    company_id: companyId,
    account_holder: COMPANY_NAME,
    sort_code: '20-00-00',
    account_number: '55779911',
  });
}

/** Changes the trader's bank account, confirmed with an emailed code, because test traders don't have a stronger factor. */
export async function changeBankAccount(portal: TestPortal, trader: Trader, account: Record<string, string>): Promise<ApiResponse> {
  const { body } = await trader.browser.post('/instant-vat/steps/bank-account/code', { company_id: trader.companyId });
  await portal.runJobs();
  const code = /\b\d{6}\b/.exec(portal.sentEmails.findLast(({ subject }) => subject.includes('is your'))?.subject ?? '')?.[0] ?? '';
  return trader.browser.post('/instant-vat/steps/bank-account', {
    company_id: trader.companyId,
    account_holder: COMPANY_NAME,
    ...account,
    ...body,
    emailed_code: code,
  });
}

/**
 * Creates a trader connected to HMRC, with a bank account, and with books that give a refund of `refundPounds` for the quarter that has
 * ended (default 4,000; null: without books).
 */
export async function createConnectedTrader(
  portal: TestPortal,
  email: string,
  refundPounds: number | null = 4_000,
  { isVerified = true } = {},
): Promise<Trader> {
  const fullName = createFullName(email);
  const { browser, cookie } = await signUp(portal, email, { fullName });
  const organisation = await makeOrganisation(portal, fullName);
  const savedResponse = await browser.post('/instant-vat/steps/company', {
    name: COMPANY_NAME,
    company_number: organisation.companyNumber,
    vrn: organisation.vrn,
  });
  const companyId = String(savedResponse.body['company_id']);
  await authorisePortal(portal, browser, companyId, organisation.userId);
  await browser.post('/instant-vat/hmrc/refresh', { company_id: companyId });
  await addBankAccount(browser, companyId);
  if (isVerified) await passIdentityCheck(portal, browser);
  const obligation = await findEndedObligation(portal, companyId);
  const trader = { browser, fullName, cookie, companyId, vrn: organisation.vrn, hmrcUserId: organisation.userId, obligation };
  if (refundPounds !== null) await uploadBooks(trader, refundPounds);
  return trader;
}

/** Uploads books that give this refund for the quarter that has ended. */
export function uploadBooks({ browser, companyId, obligation }: Trader, refundPounds: number): Promise<ApiResponse> {
  return browser.upload(
    '/instant-vat/books/file',
    { company_id: companyId, file_name: 'books.csv' },
    [
      'date,kind,reference,counterparty,description,net,vat,treatment',
      `${obligation.periodStart},sale,INV-1,Oslo AS,Lamps,50000.00,0.00,zero`,
      `${obligation.periodEnd},purchase,B-1,Glass Ltd,Shades,${refundPounds * 5}.00,${refundPounds}.00,standard`,
    ].join('\n'),
  );
}

/** Passes the identity check at the simulator. */
export async function passIdentityCheck(portal: TestPortal, browser: Browser): Promise<void> {
  const { body } = await browser.post('/instant-vat/identity-check/begin', {});
  const check = portal.identity.checks.listChecks().find(({ reference }) => reference === body['check_id']);
  portal.identity.checks.chooseOutcome(check?.id ?? '', 'fine');
  const { body: checkStatus } = await browser.get('/instant-vat/identity-check');
  if (checkStatus['status'] !== 'passed') throw new Error(`the identity check is ${String(checkStatus['status'])}`);
}

/** Each person in a test has another name: who has the same one may be the same person. */
function createFullName(email: string): string {
  return `Tess ${toName(email)}`;
}

/** Letters only, because names are compared without digits: "trader-12@x.example" becomes "Traderbc". */
function toName(email: string): string {
  const letters =
    email
      .split('@', 1)[0]
      ?.replaceAll(/\d/g, (digit) => String.fromCodePoint(97 + Number(digit)))
      .replaceAll(/[^a-z]/g, '') ?? '';
  return `${letters.charAt(0).toUpperCase()}${letters.slice(1)}`;
}

type Organisation = { readonly userId: string; readonly vrn: string; readonly companyNumber: string };

/** Creates a VAT registration at HMRC, and a company of the same name with one director at Companies House. */
export async function makeOrganisation(portal: TestPortal, director = 'Tess Trader'): Promise<Organisation> {
  const form = new URLSearchParams({
    client_id: 'sandbox-client-id',
    client_secret: 'sandbox-client-secret',
    grant_type: 'client_credentials',
  });
  const token = (await (await fetch(`${portal.sandboxUrl}/hmrc/oauth/token`, { method: 'POST', body: form })).json()) as {
    access_token: string;
  };
  const createResponse = await fetch(`${portal.sandboxUrl}/hmrc/create-test-user/organisations`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token.access_token}`,
      accept: 'application/vnd.hmrc.1.0+json',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ serviceNames: ['mtd-vat'] }),
  });
  const { userId, vrn } = (await createResponse.json()) as { userId: string; vrn: string };
  portal.hmrc.setOrganisationName(vrn, COMPANY_NAME);
  const company = { number: vrn.slice(0, 8), name: COMPANY_NAME, director };
  portal.identity.register.putCompany(toRegisterCompany(company, portal.deps.clock.today()));
  return { userId, vrn, companyNumber: company.number };
}

/** Authorises the portal at the HMRC simulator as the user. */
export async function authorisePortal(
  portal: TestPortal,
  browser: Browser,
  companyId: string,
  hmrcUserId: string,
): Promise<string | undefined> {
  const startedResponse = await browser.post('/instant-vat/steps/government-gateway/connect', {
    company_id: companyId,
    return_to: 'steps',
  });
  const response = await fetch(`${String(startedResponse.body['authorize_url'])}&sandbox_user=${hmrcUserId}`, { redirect: 'manual' });
  const query = new URL(response.headers.get('location') ?? '').searchParams;
  const [owner] = await portal.deps.database.db.select().from(memberships).where(eq(memberships.companyId, companyId));
  return completeAuthorisation(
    portal.deps,
    owner?.userId ?? '',
    { state: query.get('state') ?? undefined, code: query.get('code') ?? undefined, error: query.get('error') ?? undefined },
    '198.51.100.7',
  );
}

async function findEndedObligation(portal: TestPortal, companyId: string): Promise<Trader['obligation']> {
  const [row] = await portal.deps.database.db
    .select()
    .from(obligations)
    .innerJoin(companies, eq(companies.id, obligations.companyId))
    .where(and(eq(obligations.companyId, companyId), eq(obligations.status, 'open')))
    .orderBy(asc(obligations.periodEnd));
  if (!row) throw new Error('the HMRC simulator lists no open obligation');
  return row.obligations;
}
