/** Handles HMRC's redirect after the authorisation page: a code, a refusal or an unexpected request. */
import { stepPath } from '@portal/contract/onboarding.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { practiceStepPath, settingsPath } from '@portal/contract/practice.ts';
import { consentStates, hmrcConnections } from '@portal/db/schema/schema.ts';
import { addMilliseconds, londonDate, type Instant } from '@portal/domain/clock.ts';
import { addMonths } from '@portal/domain/plain-date.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { HmrcTokens } from '@portal/providers/hmrc/hmrc-terms.ts';
import { and, eq, gt } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { hashToken } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { partnerOfPerson } from '../identity/partner-of-person.ts';
import { proveAgentGrant, proveTraderGrant, type GrantRefusal } from './prove-grant.ts';

/** The result. The page to which the user returns has a state for each. */
export type ConsentOutcome = 'connected' | 'declined' | GrantRefusal;

export type ConsentAnswer = { readonly state: string | undefined; readonly code: string | undefined; readonly error: string | undefined };

/** Returns the page below /portal to redirect to. Undefined for an unknown state, which the caller answers with "not found". */
export async function finishConsent(deps: AppDeps, userId: string, answer: ConsentAnswer, ip: string): Promise<string | undefined> {
  if (answer.state === undefined) return undefined;
  const [consent] = await deps.database.db
    .delete(consentStates)
    .where(
      and(
        eq(consentStates.stateHash, hashToken(answer.state)),
        eq(consentStates.userId, userId),
        gt(consentStates.expiresAt, deps.wallClock.now()),
      ),
    )
    .returning();
  if (!consent) return undefined;
  const outcome = await settleConsent(deps, consent, answer, userId, ip);
  const page = await pageAfter(deps, consent.returnTo, outcome, userId);
  return `${page}?company_id=${consent.companyId}&outcome=${outcome}`;
}

type Consent = typeof consentStates.$inferSelect;

async function pageAfter(deps: AppDeps, returnTo: Consent['returnTo'], outcome: ConsentOutcome, userId: string): Promise<string> {
  switch (returnTo) {
    case 'practice_steps':
      return practiceStepPath('hmrc');
    case 'practice_settings':
      return settingsPath('connections');
    case 'dashboard':
      return outcome === 'connected' ? PAGES.dashboard.path : PAGES.linkHmrcAccount.path;
    case 'steps':
      return stepPath('government-gateway', await partnerOfPerson(deps.database.db, userId));
  }
}

async function settleConsent(deps: AppDeps, consent: Consent, answer: ConsentAnswer, userId: string, ip: string): Promise<ConsentOutcome> {
  if (answer.error === 'access_denied') {
    await noteDeclined(deps, consent.companyId, userId, ip);
    return 'declined';
  }
  if (answer.code === undefined) return 'failed';
  try {
    const tokens = await deps.hmrc.exchangeCode({ code: answer.code, codeVerifier: consent.codeVerifier });
    return await storeGrant(deps, consent, userId, tokens, ip);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    deps.logger.warn({ err: error }, 'the authorisation could not be completed');
    // The user authorised another business, which HMRC reports on the first call. Do not store that authorisation.
    return error.facts.code === 'CLIENT_OR_AGENT_NOT_AUTHORISED' ? 'wrong_vrn' : 'failed';
  }
}

async function storeGrant(deps: AppDeps, consent: Consent, userId: string, tokens: HmrcTokens, ip: string): Promise<ConsentOutcome> {
  const { db } = deps.database;
  const { companyId, fraudHeaders } = consent;
  const isPractice = consent.returnTo === 'practice_steps' || consent.returnTo === 'practice_settings';
  const call = { accessToken: tokens.accessToken, fraudHeaders };
  const proof = await (isPractice ? proveAgentGrant(deps, companyId, call) : proveTraderGrant(deps, companyId, call));
  if (typeof proof === 'string') return proof;
  const now = deps.clock.now();
  return db.transaction(async (tx) => {
    const refusal = await proof.hold(tx, now);
    if (refusal !== undefined) return refusal;
    const grant = {
      status: 'connected' as const,
      accessToken: deps.tokenCipher.seal(tokens.accessToken),
      refreshToken: deps.tokenCipher.seal(tokens.refreshToken),
      accessExpiresAt: tokens.expiresAt,
      consentEndsAt: consentEnd(now),
      connectedAt: now,
      refreshLeaseUntil: null,
      refreshHeldBy: null,
      endedAt: null,
      endedBecause: null,
      warnedDays: null,
    };
    await tx
      .insert(hmrcConnections)
      .values({ companyId, ...grant })
      .onConflictDoUpdate({ target: hmrcConnections.companyId, set: grant });
    await recordAudit(tx, { companyId, at: now, actor: userId, action: 'hmrc.connected', subject: companyId, after: proof.facts, ip });
    return 'connected';
  });
}

/** An authorisation ends after 18 months; refreshing the token does not extend it (docs/reference/hmrc.md section 2). */
function consentEnd(now: Instant): Instant {
  const days = (Date.parse(addMonths(londonDate(now), 18)) - Date.parse(londonDate(now))) / 86_400_000;
  return addMilliseconds(now, days * 86_400_000);
}

async function noteDeclined(deps: AppDeps, companyId: string, userId: string, ip: string): Promise<void> {
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
