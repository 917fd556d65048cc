/** Client for the sandbox's control API and mailbox. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@playwright/test';

let sandboxUrl = '';

/** Sets the URL of the sandbox belonging to this worker's portal. */
export function setSandboxUrl(url: string): void {
  sandboxUrl = url;
}

export type Organisation = {
  readonly userId: string;
  readonly password: string;
  readonly vrn: string;
  readonly name: string;
  /** The same company's number at Companies House. */
  readonly companyNumber: string;
};

async function post(path: string, body: unknown): Promise<unknown> {
  const response = await fetch(`${sandboxUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
  return response.json();
}

async function get<Body>(path: string): Promise<Body> {
  const response = await fetch(`${sandboxUrl}${path}`);
  if (!response.ok) throw new Error(`${path} returned ${response.status}`);
  return (await response.json()) as Body;
}

/** Creates a VAT-registered organisation in the HMRC simulator, using HMRC's Create Test User API. */
export async function createOrganisation(): Promise<Organisation> {
  const form = new URLSearchParams({
    client_id: 'sandbox-client-id',
    client_secret: 'sandbox-client-secret',
    grant_type: 'client_credentials',
  });
  const tokenResponse = await fetch(`${sandboxUrl}/hmrc/oauth/token`, { method: 'POST', body: form });
  const { access_token: token } = (await tokenResponse.json()) as { access_token: string };
  const create = (): Promise<Response> =>
    fetch(`${sandboxUrl}/hmrc/create-test-user/organisations`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/vnd.hmrc.1.0+json',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ serviceNames: ['mtd-vat', 'corporation-tax'] }),
    });
  let response = await create();
  // The portal under test shares HMRC's quota with its tests.
  for (let attempt = 0; response.status === 429 && attempt < 30; attempt++) {
    await delay(1_000);
    response = await create();
  }
  if (!response.ok) throw new Error(`Create Test User returned ${response.status}: ${await response.text()}`);
  const user = (await response.json()) as {
    userId: string;
    password: string;
    vrn: string;
    crn: string;
    organisationDetails: { name: string };
  };
  return { userId: user.userId, password: user.password, vrn: user.vrn, name: user.organisationDetails.name, companyNumber: user.crn };
}

/** Makes the user with this check show a valid document. `reference` is the portal's ID for the check. */
export async function passIdentityCheck(reference: string): Promise<void> {
  const { checks } = await get<{ checks: { id: string; reference: string }[] }>('/control/identity-checks.json');
  const check = checks.find((candidate) => candidate.reference === reference);
  await post(`/control/identity-checks/${check?.id}/show`, { outcome: 'fine' });
}

/** Creates Oakline's clients at HMRC, and returns the practice's client list. The first client is the seeded one. */
export async function loadPortfolio(clients: number, seed = 1): Promise<string> {
  await post('/control/hmrc-agents/portfolio', { clients, seed });
  const response = await fetch(`${sandboxUrl}/control/hmrc-agents/portfolio/clients.csv`);
  if (!response.ok) throw new Error(`clients.csv returned ${response.status}`);
  return response.text();
}

/** Responds to an authorisation request on HMRC's page as the client. `link` comes from the email. */
export async function decideAuthorisation(link: string, decision: 'accept' | 'reject'): Promise<void> {
  const invitationId = new URL(link).pathname.split('/').find((part) => /^[A-Z1-9]{13}$/.test(part));
  await post('/control/hmrc-agents/invitations/answer', { invitation_id: invitationId, answer: decision });
}

/** Makes the payer's bank return Stripe's newest refund, as if the card had been closed. */
export async function sendRefundBack(): Promise<void> {
  const { refunds } = await get<{ refunds: { id: string }[] }>('/control/stripe.json');
  await post(`/control/stripe/refunds/${refunds.at(-1)?.id}/fail`, {});
}

type ReceivedEmail = { readonly subject: string; readonly links: readonly string[] };

/** Waits for the newest link with a token sent to the email address. `after`: how many such links had already arrived. */
export async function waitForLink(to: string, after = 0): Promise<string> {
  let link = '';
  await expect
    .poll(
      async () => {
        const { messages } = await get<{ messages: ReceivedEmail[] }>(`/mailbox.json?to=${encodeURIComponent(to)}`);
        // Other emails, such as the welcome email, don't have a token. Each link is in both the text and the HTML, but listed once.
        const links = messages.flatMap((email) => email.links.filter((candidate) => candidate.includes('token=')));
        link = links[0] ?? '';
        return links.length > after;
      },
      { message: `an email with a link to ${to}`, timeout: 30_000 },
    )
    .toBe(true);
  return link;
}

/** Waits for the newest code texted to the number. */
export async function waitForTextedCode(to: string): Promise<string> {
  let code = '';
  await expect
    .poll(
      async () => {
        const { messages } = await get<{ messages: { code: string }[] }>(`/texts.json?to=${encodeURIComponent(to)}`);
        code = messages[0]?.code ?? '';
        return code;
      },
      { message: `a text message with a code to ${to}`, timeout: 30_000 },
    )
    .not.toBe('');
  return code;
}

export function getMailboxUrl(to: string): string {
  return `${sandboxUrl}/mailbox?to=${encodeURIComponent(to)}`;
}

/** Withdraws the portal's access on the provider's own page, as the user would. */
export async function revokeAccess(provider: 'google' | 'microsoft', email: string): Promise<void> {
  await post('/control/people/revoke', { provider, email });
}

export type BooksProvider = 'xero' | 'quickbooks' | 'freeagent';

/**
 * Creates an organisation in bookkeeping software, with documents that give a refund of £4,000 for the period. Returns its owner's email
 * address.
 */
export async function createBooks(
  provider: BooksProvider,
  { vrn, name, companyNumber }: Pick<Organisation, 'vrn' | 'name'> & { readonly companyNumber?: string },
  period: { readonly period_start: string; readonly period_end: string },
  owner = `books-${vrn}@journeys.example`,
): Promise<{ readonly email: string; readonly id: string }> {
  const [id, email] = [vrn, owner];
  await post('/control/books/organisations', {
    program: provider,
    id,
    name,
    owner_email: email,
    owner_name: 'Jo Journey',
    vat_number: vrn,
    scheme: 'accrual',
    company_number: companyNumber,
    vat_period_end: period.period_end,
  });
  const [sale, purchase] = [
    {
      id: '1',
      date: period.period_start,
      kind: 'sale',
      reference: 'INV-1',
      counterparty: 'Oslo Lamper AS',
      net_pence: 5_000_000,
      vat_pence: 0,
      treatment: 'zero',
    },
    {
      id: '2',
      date: period.period_end,
      kind: 'purchase',
      reference: 'B-1',
      counterparty: 'Severn Glassworks Ltd',
      net_pence: 2_000_000,
      vat_pence: 400_000,
      treatment: 'standard',
    },
  ];
  for (const document of [sale, purchase])
    await post('/control/books/documents', { program: provider, organisation_id: id, is_draft: 'no', ...document });
  return { email, id };
}

export type ReceivedMail = { readonly from: string; readonly subject: string; readonly text: string };

/** Lists the emails sent to an email address, newest first. */
export async function listEmails(to: string): Promise<readonly ReceivedMail[]> {
  return (await get<{ messages: ReceivedMail[] }>(`/mailbox.json?to=${encodeURIComponent(to)}`)).messages;
}

export async function setFault(operation: string, kind: string, times = 1): Promise<void> {
  await post('/control/faults', { operation, kind, times });
}

type AcceptedReturn = { readonly period_key: string; readonly times_accepted: number };

/** Lists the returns that the HMRC simulator accepted through the API for one trader. */
export async function listReturns(vrn: string): Promise<AcceptedReturn[]> {
  return (await get<{ returns: AcceptedReturn[] }>(`/control/hmrc/returns?vrn=${vrn}`)).returns;
}

type HmrcCall = {
  readonly operation: string;
  readonly status: number;
  readonly fraud_grade: unknown;
  readonly fraud_headers: Record<string, string>;
};

/** Lists the latest calls to HMRC's API, newest first. */
export async function listCalls(): Promise<HmrcCall[]> {
  return (await get<{ calls: HmrcCall[] }>('/control/hmrc/calls')).calls;
}

/** Files the past period with other software; HMRC received the return two days ago. */
export async function fileElsewhere(vrn: string, refundPence: number): Promise<void> {
  await post('/control/hmrc/returns/elsewhere', { vrn, refund_pence: refundPence });
}

/** Makes the HMRC simulator repay the trader's newest claim to the account in its records. */
export async function payRepayment(vrn: string): Promise<void> {
  const { repayments } = await get<{ repayments: { period_key: string }[] }>(`/control/hmrc/repayments?vrn=${vrn}`);
  await post('/control/hmrc/repayments/move', { vrn, period_key: repayments.at(-1)?.period_key, stage: 'PAID' });
}

/** Makes HMRC reduce the trader's newest claim to `amountPence` and repay that into `account`. */
export async function payReducedRepayment(
  vrn: string,
  amountPence: number,
  account: { sort_code: string; account_number: string; account_holder: string },
): Promise<void> {
  const { sort_code, account_number, account_holder } = account;
  await post('/control/hmrc/repayment-account', { vrn, sort_code, account_number, account_name: account_holder });
  const { repayments } = await get<{ repayments: { period_key: string }[] }>(`/control/hmrc/repayments?vrn=${vrn}`);
  const claim = { vrn, period_key: repayments.at(-1)?.period_key };
  await post('/control/hmrc/repayments/move', { ...claim, stage: 'REPAYMENT_ADJUSTED', amount_pence: amountPence });
  await post('/control/hmrc/repayments/move', { ...claim, stage: 'PAID' });
}

/** Credits an account at the bank simulator with an external payment. */
export async function creditAccount(
  account: { sort_code: string; account_number: string },
  amountPence: number,
  remitter: string,
): Promise<void> {
  const { sort_code, account_number } = account;
  await post('/control/bank/credit', {
    sort_code,
    account_number,
    amount_pence: amountPence,
    remitter_name: remitter,
    reference: 'INV 7781',
  });
}

type SandboxPayout = { readonly id: string; readonly status: string; readonly amount_pence: number; readonly beneficiary_name: string };

export async function listPayouts(): Promise<SandboxPayout[]> {
  return (await get<{ payouts: SandboxPayout[] }>('/control/bank/payouts')).payouts;
}

/** Moves the portal's and the simulators' clock. */
export async function moveClock(days: number): Promise<void> {
  await post('/control/clock', { advance_days: days });
}

/** Moves the clock to 9 am on a given day. */
export async function moveClockTo(day: string): Promise<void> {
  await post('/control/clock', { now: day });
}

/** Lists the statuses of GoCardless Direct Debits for this amount. */
export async function listDirectDebits(amountPence: number): Promise<string[]> {
  const { payments } = await get<{ payments: { amount: number; status: string }[] }>('/control/direct-debits.json');
  return payments.filter(({ amount }) => amount === amountPence).map(({ status }) => status);
}
