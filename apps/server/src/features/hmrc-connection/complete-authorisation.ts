/** Handles HMRC's redirect after the authorisation page: a code, a refusal by the user or an unexpected request. */
import { getStepPath } from '@portal/contract/onboarding.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { hasPracticeRight } from '@portal/contract/practice-rights.ts';
import { getPracticeStepPath, getSettingsPath } from '@portal/contract/practice.ts';
import type { Tx } from '@portal/db/database.ts';
import { authorisationStates, hmrcConnections, memberships } from '@portal/db/schema/schema.ts';
import { addMilliseconds, toLondonDate, type Instant } from '@portal/domain/clock.ts';
import { addMonths } from '@portal/domain/plain-date.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { HmrcTokens } from '@portal/providers/hmrc/hmrc-types.ts';
import { and, eq, gt } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { hashToken } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { getPersonPartner } from '../identity/person-partner.ts';
import { verifyAgentAccess, verifyTraderAccess, type ConnectionRejection } from './verify-access.ts';
import { sealTokens } from './seal-tokens.ts';

/** The outcome of an authorisation. The page to which the user returns has a state for each. */
export type AuthorisationOutcome = 'connected' | 'declined' | ConnectionRejection;

export type AuthorisationCallback = {
  readonly state: string | undefined;
  readonly code: string | undefined;
  readonly error: string | undefined;
};

/**
 * Returns the page below /portal to redirect to. Returns undefined for an unknown state, for which the caller responds with "not found".
 */
export async function completeAuthorisation(
  deps: AppDeps,
  userId: string,
  callback: AuthorisationCallback,
  ip: string,
): Promise<string | undefined> {
  if (callback.state === undefined) return undefined;
  const [savedState] = await deps.database.db
    .delete(authorisationStates)
    .where(
      and(
        eq(authorisationStates.stateHash, hashToken(callback.state)),
        eq(authorisationStates.userId, userId),
        gt(authorisationStates.expiresAt, deps.wallClock.now()),
      ),
    )
    .returning();
  if (!savedState) return undefined;
  const outcome = await handleCallback(deps, savedState, callback, userId, ip);
  const pagePath = await getReturnPage(deps, savedState.returnTo, outcome, userId);
  return `${pagePath}?company_id=${savedState.companyId}&outcome=${outcome}`;
}

type SavedState = typeof authorisationStates.$inferSelect;

async function getReturnPage(
  deps: AppDeps,
  returnTo: SavedState['returnTo'],
  outcome: AuthorisationOutcome,
  userId: string,
): Promise<string> {
  switch (returnTo) {
    case 'practice_steps':
      return getPracticeStepPath('hmrc');
    case 'practice_settings':
      return getSettingsPath('connections');
    case 'dashboard':
      return outcome === 'connected' ? PAGES.dashboard.path : PAGES.linkHmrcAccount.path;
    case 'steps':
      return getStepPath('government-gateway', await getPersonPartner(deps.database.db, userId));
  }
}

async function handleCallback(
  deps: AppDeps,
  savedState: SavedState,
  callback: AuthorisationCallback,
  userId: string,
  ip: string,
): Promise<AuthorisationOutcome> {
  if (callback.error === 'access_denied') {
    await recordDeclinedConsent(deps, savedState.companyId, userId, ip);
    return 'declined';
  }
  if (callback.code === undefined) return 'failed';
  try {
    const tokens = await deps.hmrc.exchangeCode({ code: callback.code, codeVerifier: savedState.codeVerifier });
    return await saveConnection(deps, savedState, userId, tokens, ip);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    deps.logger.warn({ err: error }, 'the authorisation could not be completed');
    // The user authorised access to a different business, which HMRC reports on the first call. Don't store that authorisation.
    return error.facts.code === 'CLIENT_OR_AGENT_NOT_AUTHORISED' ? 'wrong_vrn' : 'failed';
  }
}

async function saveConnection(
  deps: AppDeps,
  savedState: SavedState,
  userId: string,
  tokens: HmrcTokens,
  ip: string,
): Promise<AuthorisationOutcome> {
  const { db } = deps.database;
  const { companyId, fraudHeaders } = savedState;
  const isPractice = savedState.returnTo === 'practice_steps' || savedState.returnTo === 'practice_settings';
  const call = { accessToken: tokens.accessToken, fraudHeaders };
  const access = await (isPractice ? verifyAgentAccess(deps, companyId, call) : verifyTraderAccess(deps, companyId, call));
  if (typeof access === 'string') return access;
  const now = deps.clock.now();
  return db.transaction(async (tx) => {
    const rejection = (await mayConnect(tx, companyId, userId)) ? await access.confirm(tx, now) : 'failed';
    if (rejection !== undefined) return rejection;
    const connection = {
      status: 'connected' as const,
      ...sealTokens(deps, companyId, tokens),
      accessExpiresAt: tokens.expiresAt,
      consentEndsAt: getAuthorisationEnd(now),
      connectedAt: now,
      refreshLeaseUntil: null,
      refreshHolderId: null,
      endedAt: null,
      endReason: null,
      warnedDays: null,
    };
    await tx
      .insert(hmrcConnections)
      .values({ companyId, ...connection })
      .onConflictDoUpdate({ target: hmrcConnections.companyId, set: connection });
    await recordAudit(tx, { companyId, at: now, actor: userId, action: 'hmrc.connected', subject: companyId, after: access.facts, ip });
    return 'connected';
  });
}

/** The user may have left the company, or lost the permission, since starting. */
async function mayConnect(tx: Tx, companyId: string, userId: string): Promise<boolean> {
  const { role, permissions } = memberships;
  const [member] = await tx
    .select({ role, permissions })
    .from(memberships)
    .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, userId)))
    .for('share');
  if (member?.role === 'practice_admin' || member?.role === 'team_member')
    return hasPracticeRight('practice.connections', member.role, member.permissions);
  return member?.role === 'trader_owner';
}

/** Returns the end of an authorisation, after 18 months; refreshing the token does not extend it (docs/reference/hmrc.md section 2). */
function getAuthorisationEnd(now: Instant): Instant {
  const days = (Date.parse(addMonths(toLondonDate(now), 18)) - Date.parse(toLondonDate(now))) / 86_400_000;
  return addMilliseconds(now, days * 86_400_000);
}

async function recordDeclinedConsent(deps: AppDeps, companyId: string, userId: string, ip: string): Promise<void> {
  const now = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    // Declining does not end an earlier authorisation.
    await tx
      .insert(hmrcConnections)
      .values({ companyId, status: 'declined' })
      .onConflictDoUpdate({
        target: hmrcConnections.companyId,
        set: { status: 'declined' },
        setWhere: eq(hmrcConnections.status, 'postponed'),
      });
    await recordAudit(tx, { companyId, at: now, actor: userId, action: 'hmrc.declined', subject: companyId, ip });
  });
}
