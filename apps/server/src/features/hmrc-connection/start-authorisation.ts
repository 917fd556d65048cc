import { createHash } from 'node:crypto';
import { authorisationStates, companies, practices } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { AGENT_SCOPES } from '@portal/providers/hmrc-agent/agent-scopes.ts';
import type { HmrcScope } from '@portal/providers/hmrc/hmrc-client.ts';
import { eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { generateToken, hashToken } from '../../http/session.ts';
import { toFraudHeaders, type ActingUser } from './with-trader-access-token.ts';

/** HMRC's code is valid for 10 minutes, but the user may spend longer on its sign-in pages. */
const STATE_TTL_MS = 60 * 60_000;

const TRADER_SCOPES: readonly HmrcScope[] = ['read:vat', 'write:vat'];

/** We never end a client's authorisation, so we do not request the scope for it. */
const PRACTICE_SCOPES: readonly HmrcScope[] = AGENT_SCOPES.filter((scope) => scope !== 'write:relationships');

type ReturnTo = typeof authorisationStates.$inferInsert.returnTo;

/** Starts a trader's authorisation and returns HMRC's URL for the browser. */
export async function startAuthorisation(
  deps: AppDeps,
  user: ActingUser,
  companyId: string,
  returnTo: 'steps' | 'dashboard',
): Promise<{ authorize_url: string }> {
  const [company] = await deps.database.db.select({ vrn: companies.vrn }).from(companies).where(eq(companies.id, companyId));
  if (!company?.vrn) throw new AppError('conflict', 'company.no_vrn', 'Add the company’s VAT registration number first.');
  return createAuthorisationState(deps, user, { companyId, returnTo, scopes: TRADER_SCOPES });
}

/**
 * Starts the authorisation of a practice's agent services account. One authorisation covers every client that has authorised the practice.
 */
export async function startAgentAuthorisation(
  deps: AppDeps,
  user: ActingUser,
  companyId: string,
  returnTo: 'practice_steps' | 'practice_settings',
): Promise<{ authorize_url: string }> {
  const [practice] = await deps.database.db.select({ arn: practices.arn }).from(practices).where(eq(practices.companyId, companyId));
  if (!practice?.arn) {
    throw new AppError('conflict', 'practice.no_arn', 'Add your agent services account’s agent reference number first.');
  }
  return createAuthorisationState(deps, user, { companyId, returnTo, scopes: PRACTICE_SCOPES });
}

type AuthorisationRequest = { readonly companyId: string; readonly returnTo: ReturnTo; readonly scopes: readonly HmrcScope[] };

/** Stores the state as a hash, bound to the user and company; it can be used once. */
async function createAuthorisationState(
  deps: AppDeps,
  user: ActingUser,
  { companyId, returnTo, scopes }: AuthorisationRequest,
): Promise<{ authorize_url: string }> {
  const state = generateToken();
  const codeVerifier = generateToken();
  const now = deps.wallClock.now();
  await deps.database.db.insert(authorisationStates).values({
    stateHash: hashToken(state),
    userId: user.actor.userId,
    companyId,
    returnTo,
    codeVerifier,
    fraudHeaders: { ...toFraudHeaders(deps, user) },
    createdAt: now,
    expiresAt: addMilliseconds(now, STATE_TTL_MS),
  });
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  return { authorize_url: deps.hmrc.authorizeUrl({ state, scopes, codeChallenge }) };
}
