/** Logs in to the portal as Priya of Oakline and connects the agent services account at HMRC. */
import { identityApi } from '@portal/contract/identity.ts';
import { practiceApi } from '@portal/contract/practice.ts';
import { SANDBOX_PASSWORD } from '@portal/sandbox/seed/seed-data.ts';
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import { createCaller, type Caller, type CallerOptions } from '../smoke/caller.ts';
import { grantHmrcPermission } from '../smoke/sandbox-client.ts';
import { isThrottled, openLandingPage } from '../smoke/trader.ts';
import { NotReachedError, NotYetError, retry } from '../smoke/wait-until.ts';

export type Admin = { readonly caller: Caller; readonly companyId: string };

export async function signInAsPriya(portalUrl: string, options?: CallerOptions): Promise<Admin> {
  const caller = createCaller(portalUrl, options);
  await openLandingPage(caller);
  await caller.call(identityApi.login, { email: OAKLINE.emailAddress, password: SANDBOX_PASSWORD });
  const companies = await caller.call(identityApi.userCompanies, {});
  const practice = companies.find(({ kind }) => kind === 'practice');
  if (!practice) throw new NotReachedError(`${OAKLINE.emailAddress} has no practice here. Run the portal with the sandbox’s seed data.`);
  return { caller, companyId: practice.company_id };
}

/** Connects the practice to HMRC if needed. Resolves to true if it had to. */
export async function ensureAgentConnected(admin: Admin, hmrcUserId: string): Promise<boolean> {
  const { hmrc } = await admin.caller.call(practiceApi.accountantProfile, { company_id: admin.companyId });
  if (hmrc.status === 'connected' || hmrc.status === 'ending') return false;
  await retry(() => authoriseAtHmrc(admin, hmrcUserId), isThrottled);
  return true;
}

async function authoriseAtHmrc({ caller, companyId }: Admin, hmrcUserId: string): Promise<void> {
  const { authorize_url } = await caller.call(practiceApi.connectHmrc, { company_id: companyId, return_to: 'settings' });
  const callbackUrl = await grantHmrcPermission(authorize_url, hmrcUserId);
  const { status, text, location = '' } = await caller.open(`${callbackUrl.pathname.replace(/^\/portal/, '')}${callbackUrl.search}`);
  const outcome = /[?&]outcome=(\w+)/.exec(location)?.[1];
  if (outcome === 'connected') return;
  if (outcome === 'failed') throw new NotYetError('the authorisation could not be completed');
  throw new NotReachedError(`the return from HMRC ended with ${outcome ?? `status ${status}: ${text.slice(0, 200)}`}`);
}
