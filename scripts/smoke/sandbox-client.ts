/** Client for the sandbox. Uses HMRC's and the bank's APIs where they exist, and otherwise the control API. */
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { NotReachedError, NotYetError, retry } from './wait-until.ts';

export type Organisation = { readonly userId: string; readonly vrn: string; readonly name: string; readonly companyNumber: string };
export type Obligation = {
  readonly period_key: string;
  readonly start: PlainDate;
  readonly end: PlainDate;
  readonly status: 'O' | 'F';
  readonly filed_on?: PlainDate;
};
export type AcceptedReturn = {
  readonly period_key: string;
  readonly times_accepted: number;
  readonly boxes: Readonly<Record<string, number>>;
};
export type Repayment = { readonly period_key: string; readonly stage: string; readonly claimed_pence: number; readonly paid?: object };
export type BankPayout = {
  readonly id: string;
  readonly status: 'pending' | 'authorized' | 'executed' | 'failed';
  readonly amount_pence: number;
  readonly account_number: string;
};
export type HmrcRequest = {
  readonly operation: string;
  readonly status: number;
  readonly user_id?: string;
  readonly fraud_grade: {
    readonly code: string;
    readonly errors: readonly { readonly message: string; readonly headers: readonly string[] }[];
    readonly warnings: readonly { readonly message: string; readonly headers: readonly string[] }[];
  };
};

export type BankStatistics = {
  readonly equal_under_different_keys: readonly { readonly account_number: string; readonly not_failed: number }[];
};

export type SandboxClient = ReturnType<typeof createSandboxClient>;

export function createSandboxClient(url: string) {
  const get = async (path: string): Promise<unknown> => readResponse(await fetch(`${url}${path}`), `GET ${path}`);
  const post = async (path: string, body: object): Promise<unknown> => {
    const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    return readResponse(await fetch(`${url}${path}`, init), `POST ${path}`);
  };
  return {
    url,
    /** Returns the sandbox clock's current time. */
    readClock: async () => ((await get('/control/clock')) as { now: string }).now,
    moveClock: async (to: { now: string } | { advance_days: number }) => ((await post('/control/clock', to)) as { now: string }).now,
    /** Makes the user with this check show a valid document at the identity provider. */
    passIdentityCheck: async (reference: string) => {
      const { checks } = (await get('/control/identity-checks.json')) as { checks: { id: string; reference: string }[] };
      const check = checks.find((candidate) => candidate.reference === reference);
      await post(`/control/identity-checks/${check?.id}/show`, { outcome: 'fine' });
    },
    // These calls count towards the application's rate limit, which the portal shares.
    createOrganisation: () =>
      retry(
        () => createOrganisation(url),
        (error) => error instanceof NotYetError,
      ),
    listObligations: async (vrn: string): Promise<readonly Obligation[]> => {
      const { organisations } = (await get('/control/hmrc/organisations')) as {
        organisations: { vrn: string; obligations: Obligation[] }[];
      };
      return organisations.find((organisation) => organisation.vrn === vrn)?.obligations ?? [];
    },
    setStagger: (vrn: string, stagger: number) => post('/control/hmrc/stagger', { vrn, stagger: String(stagger) }),
    setHistory: (vrn: string, history: { fulfilled_periods: number }) => post('/control/hmrc/history', { vrn, ...history }),
    listReturns: async (vrn: string) => ((await get(`/control/hmrc/returns?vrn=${vrn}`)) as { returns: AcceptedReturn[] }).returns,
    listRepayments: async (vrn: string) => ((await get(`/control/hmrc/repayments?vrn=${vrn}`)) as { repayments: Repayment[] }).repayments,
    payRepayment: (vrn: string, periodKey: string) => post('/control/hmrc/repayments/move', { vrn, period_key: periodKey, stage: 'PAID' }),
    listHmrcRequests: async () => ((await get('/control/hmrc/calls')) as { calls: HmrcRequest[] }).calls,
    listPayouts: async () => ((await get('/control/bank/payouts')) as { payouts: BankPayout[] }).payouts,
    readBankStatistics: async () => (await get('/control/bank/statistics')) as BankStatistics,
    listMailedLinks: async (address: string) => {
      const { messages } = (await get(`/mailbox.json?to=${encodeURIComponent(address)}`)) as { messages: { links: string[] }[] };
      return messages.flatMap(({ links }) => links);
    },
  };
}

/** Uses HMRC's Create Test User API with an application token. */
async function createOrganisation(url: string): Promise<Organisation> {
  const tokenRequest = { client_id: 'sandbox-client-id', client_secret: 'sandbox-client-secret', grant_type: 'client_credentials' };
  const tokenResponse = await fetch(`${url}/hmrc/oauth/token`, { method: 'POST', body: new URLSearchParams(tokenRequest) });
  const { access_token } = (await readResponse(tokenResponse, "HMRC's token")) as { access_token: string };
  const createdResponse = await fetch(`${url}/hmrc/create-test-user/organisations`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${access_token}`,
      accept: 'application/vnd.hmrc.1.0+json',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ serviceNames: ['mtd-vat', 'corporation-tax'] }),
  });
  const user = (await readResponse(createdResponse, "HMRC's Create Test User")) as {
    userId: string;
    vrn: string;
    crn: string;
    organisationDetails: { name: string };
  };
  return { userId: user.userId, vrn: user.vrn, name: user.organisationDetails.name, companyNumber: user.crn };
}

async function readResponse(response: Response, requestLine: string): Promise<unknown> {
  const responseText = await response.text();
  if (response.ok) return JSON.parse(responseText);
  if (response.status === 429) throw new NotYetError(`HMRC’s rate limit was reached: ${requestLine}`);
  throw new NotReachedError(`the sandbox returned ${response.status} to ${requestLine}: ${responseText.slice(0, 300)}`);
}

/** Sets the repayment account in HMRC's own service, as a user would after following the portal's link. */
export async function setRepaymentAccount(
  serviceUrl: string,
  organisation: Organisation,
  account: { readonly account_holder: string; readonly sort_code: string; readonly account_number: string },
): Promise<void> {
  const url = new URL(serviceUrl);
  url.searchParams.set('sandbox_user', organisation.userId);
  url.searchParams.set('vrn', organisation.vrn);
  const form = { accountName: account.account_holder, sortCode: account.sort_code, accountNumber: account.account_number };
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  if (response.status !== 303) throw new NotReachedError(`HMRC’s page for the repayment account returned ${response.status}`);
}

/** Signs in at HMRC and gives permission. Returns the URL that HMRC redirects the browser to. */
export async function grantHmrcPermission(authorizeUrl: string, userId: string): Promise<URL> {
  const url = new URL(authorizeUrl);
  url.searchParams.set('sandbox_user', userId);
  const response = await fetch(url, { redirect: 'manual' });
  const redirectUrl = response.headers.get('location');
  if (redirectUrl === null || !URL.canParse(redirectUrl))
    throw new NotReachedError(`HMRC’s permission page returned ${response.status} without a redirect`);
  return new URL(redirectUrl);
}
