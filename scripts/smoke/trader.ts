/** A new trader's steps through the portal, from sign-up to the uploaded books. */
import type { Blob } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { BOOKS_UPLOAD_PATH, booksApi, booksUploadOutput, type BooksFile } from '@portal/contract/books.ts';
import { dashboardApi } from '@portal/contract/dashboard.ts';
import { identityCheckApi } from '@portal/contract/identity-check.ts';
import { identityApi } from '@portal/contract/identity.ts';
import { onboardingApi } from '@portal/contract/onboarding.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { PortalError, type Caller } from './caller.ts';
import { grantHmrcPermission, type SandboxClient, type Organisation } from './sandbox-client.ts';
import { NotReachedError, NotYetError, retry, waitUntil } from './wait-until.ts';

export type SignedUpUser = { readonly caller: Caller; readonly email: string };
export type Trader = SignedUpUser & {
  readonly organisation: Organisation;
  readonly companyId: string;
  /** Unique for each trader, so that payouts can be matched to traders. */
  readonly bankAccount: { readonly account_holder: string; readonly sort_code: string; readonly account_number: string };
};

const FULL_NAME = 'Sam Okafor';

/** Returns true for HMRC's rate limit, whichever call reaches it. */
export function isThrottled(error: unknown): boolean {
  return error instanceof NotYetError || (error instanceof PortalError && error.code === 'hmrc.throttled');
}

/** Signs up by email, opens the link from the mailbox and confirms it. */
export async function signUp(caller: Caller, sandbox: SandboxClient): Promise<SignedUpUser> {
  const email = `trader-${randomBytes(5).toString('hex')}@smoke.example`;
  await caller.call(identityApi.signUp, { email, full_name: FULL_NAME, phone: '020 7946 0018' });
  const token = await waitUntil(async () => findToken(await sandbox.listMailedLinks(email)), `no email with a link arrived at ${email}`);
  await caller.call(identityApi.consumeLink, { token });
  return { caller, email };
}

function findToken(links: readonly string[]): string | undefined {
  for (const link of links) {
    const token = URL.canParse(link) ? new URL(link).searchParams.get('token') : null;
    if (token !== null) return token;
  }
  return undefined;
}

/** Completes the steps "About you" and "Company". Returns the trader with the bank account for the next step. */
export async function enterCompany({ caller, email }: SignedUpUser, organisation: Organisation): Promise<Trader> {
  await caller.call(onboardingApi.saveAbout, { full_name: FULL_NAME, phone: '020 7946 0018' });
  const company = { name: organisation.name, company_number: organisation.companyNumber, vrn: organisation.vrn };
  const { company_id: companyId } = await retry(() => caller.call(onboardingApi.saveCompany, company), isThrottled);
  const bankAccount = { account_holder: organisation.name, sort_code: '200000', account_number: organisation.vrn.slice(0, 8) };
  return { caller, email, organisation, companyId, bankAccount };
}

/** Grants access at HMRC and returns to the portal. Resolves to the page's path after the redirect. */
export function connectHmrc(trader: Trader): Promise<string> {
  return retry(() => authoriseAtHmrc(trader), isThrottled);
}

async function authoriseAtHmrc({ caller, companyId, organisation }: Trader): Promise<string> {
  const { authorize_url } = await caller.call(onboardingApi.connectHmrc, { company_id: companyId, return_to: 'steps' });
  const callbackUrl = await grantHmrcPermission(authorize_url, organisation.userId);
  const { status, text, location = '' } = await caller.open(`${callbackUrl.pathname.replace(/^\/portal/, '')}${callbackUrl.search}`);
  const outcome = /[?&]outcome=(\w+)/.exec(location)?.[1];
  if (outcome === 'connected') return location;
  if (outcome === 'failed') throw new NotYetError('the authorisation could not be completed');
  throw new NotReachedError(`the return from HMRC ended with ${outcome ?? `status ${status}: ${text.slice(0, 200)}`}`);
}

/** Rethrows a rejected file as a NotReached containing its first errors. */
export async function uploadBooks({ caller, companyId }: Trader, fileName: string, file: Blob): Promise<BooksFile> {
  try {
    const uploadOutput = booksUploadOutput.parse(
      await caller.upload(BOOKS_UPLOAD_PATH, { company_id: companyId, file_name: fileName }, file),
    );
    const { file: appliedFile, pending } =
      uploadOutput.pending?.waits_for === 'incomplete'
        ? await caller.call(booksApi.apply, { company_id: companyId, upload_id: uploadOutput.pending.upload_id })
        : uploadOutput;
    if (appliedFile === null) throw new NotReachedError(`the portal asks what the columns of ${pending?.file_name ?? fileName} mean`);
    return appliedFile;
  } catch (error) {
    if (error instanceof PortalError && Array.isArray(error.details['errors'])) {
      throw new NotReachedError(formatLineErrors(error.details['errors'] as LineError[]));
    }
    throw error;
  }
}

export type LineError = { readonly line: number; readonly column: string; readonly reason: string };

const MAX_QUOTED_LINES = 5;

/** Formats the first errors as "line 4, vat: ...". */
export function formatLineErrors(errors: readonly LineError[]): string {
  const quotedLines = errors.slice(0, MAX_QUOTED_LINES).map(({ line, column, reason }) => `line ${line}, ${column}: ${reason}`);
  const remaining = errors.length - quotedLines.length;
  return `the file was rejected: ${quotedLines.join('; ')}${remaining > 0 ? `; and ${remaining} more` : ''}`;
}

/** Refreshes HMRC's figures through the dashboard. */
export function refreshFromHmrc({ caller, companyId }: Trader): Promise<string> {
  return retry(async () => {
    const { status, message } = await caller.call(dashboardApi.refresh, { company_id: companyId });
    if (status === 'refreshed') return message;
    throw status === 'unavailable' ? new NotYetError(message) : new NotReachedError(message);
  }, isThrottled);
}

/** Verifies the trader's identity, which every payout requires. */
export async function verifyIdentity({ caller }: Trader, sandbox: SandboxClient): Promise<void> {
  const { check_id: reference } = await caller.call(identityCheckApi.begin, {});
  await sandbox.passIdentityCheck(reference);
  await caller.call(identityCheckApi.find, {});
}

export async function enterBankAccount({ caller, companyId, bankAccount }: Trader): Promise<void> {
  await caller.call(onboardingApi.saveBankAccount, { company_id: companyId, ...bankAccount });
}

/** Opens the landing page, which sets the device cookie and states the sandbox's URL. */
export async function openLandingPage(caller: Caller): Promise<{ readonly sandboxUrl: string | undefined; readonly status: number }> {
  const { status, text } = await caller.open(PAGES.instantVatLanding.path);
  const meta = /<meta[^>]*name="?portal-sandbox"?[^>]*>/i.exec(text)?.[0];
  const sandboxUrl = /content="?([^"\s>]+)/i.exec(meta ?? '')?.[1];
  return { status, sandboxUrl };
}

export const SANDBOX_PASSWORD = 'Sandbox-2026!';
