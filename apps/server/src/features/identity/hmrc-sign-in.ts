/**
 * Signing in with HMRC (docs/product/decisions.md section 6). HMRC doesn't identify individuals, and agents and employees have Gateway
 * sign-ins too. So an authorisation for the VAT number of a connected company only sends a link to the company's owners. It doesn't create
 * an account and isn't stored.
 */
import { companies, hmrcConnections, memberships, users } from '@portal/db/schema/schema.ts';
import { parseNineDigitVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { and, eq, inArray } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { SignInContext } from './complete-sign-in.ts';
import { limitAttempts, toNetwork } from './limit-attempts.ts';
import { sendLink } from './sign-in-links.ts';

export function getHmrcSignInUrl(deps: AppDeps, state: string, codeChallenge: string): string {
  return deps.hmrcSignIn.authorizeUrl({ state, scopes: ['read:vat'], codeChallenge });
}

/** Returns the nine digits of a typed VAT number, or undefined if it is not one. */
export function findVrn(text: string | undefined): string | undefined {
  const vrn = parseNineDigitVrn(text ?? '');
  return vrn.ok ? vrn.value.vrn : undefined;
}

export async function completeHmrcSignIn(
  deps: AppDeps,
  { caller }: SignInContext,
  state: { vrn: string | null; codeVerifier: string },
  params: URLSearchParams,
): Promise<string> {
  const operation = 'hmrc.sign_in';
  const [code, error] = [params.get('code'), params.get('error')];
  if (code === null || state.vrn === null) throw new ProviderError('refused', { provider: 'hmrc', operation, code: error ?? 'no_code' });
  const { accessToken } = await deps.hmrcSignIn.exchangeCode({ code, codeVerifier: state.codeVerifier });
  // HMRC rejects a VAT number that the authorisation does not cover. A redirect carries no data for fraud prevention headers.
  await deps.hmrcSignIn.listObligations({ accessToken, fraudHeaders: {} }, state.vrn, { status: 'open' });
  const owners = await deps.database.db
    .select({ email: users.email })
    .from(companies)
    .innerJoin(hmrcConnections, eq(hmrcConnections.companyId, companies.id))
    .innerJoin(memberships, and(eq(memberships.companyId, companies.id), eq(memberships.role, 'trader_owner')))
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(companies.vrn, state.vrn), inArray(hmrcConnections.status, ['connected', 'lapsed'])));
  if (owners.length === 0) return '/v2/auth/login?outcome=not_linked&provider=hmrc';
  await limitAttempts(deps.database.db, deps.wallClock, { [`hmrc-mail:${state.vrn}`]: 5, [`mail-ip:${toNetwork(caller.ip)}`]: 60 });
  for (const { email } of owners) await sendLink(deps, { email, purpose: 'hmrc' });
  return '/v2/auth/check-mail?provider=hmrc';
}
