/**
 * Expires authorisation requests, reads clients' responses and sends reminders about pending requests. HMRC doesn't notify us of a response
 * (docs/reference/hmrc.md section 5). Fraud prevention headers are required only for VAT and income tax calls (section 9), so these calls
 * send none.
 */
import { clientAuthorisations, hmrcConnections, practices } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { and, asc, eq, isNotNull, lt, lte, notInArray } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { PortalJobHandlers } from '../../jobs/job-kinds.ts';
import { sendRequestReminders } from '../authorisation-emails/send-request-reminders.ts';
import { withAgentAccessToken } from '../hmrc-connection/with-trader-access-token.ts';
import { fetchInvitation } from './fetch-authorisation.ts';
import { storeAuthorisation, type AuthorisationState } from './store-authorisation.ts';

/** Clients respond within days, not minutes. Users who want to know immediately can check it themselves. */
const RECHECK_INTERVAL_MS = 4 * 3_600_000;
/** A small batch, so that users' own calls are hardly delayed: HMRC allows three a second. */
const MAX_CHECKS_PER_RUN = 20;

export function authorisationJobs(deps: AppDeps): Pick<PortalJobHandlers, 'authorisations.sweep'> {
  const failedUntil = new Map<string, Instant>();
  return {
    'authorisations.sweep': async () => {
      await expireRequests(deps);
      await readDecisions(deps, failedUntil);
      await sendRequestReminders(deps);
    },
  };
}

type PendingRequest = Awaited<ReturnType<typeof listPendingRequests>>[number];

/** Uses the stored expiry date from HMRC, so no call is needed. */
async function expireRequests(deps: AppDeps): Promise<void> {
  const expiredAuthorisations = await deps.database.db
    .select({
      companyId: clientAuthorisations.companyId,
      clientId: clientAuthorisations.clientId,
      tax: clientAuthorisations.tax,
      invitationId: clientAuthorisations.invitationId,
    })
    .from(clientAuthorisations)
    .where(and(eq(clientAuthorisations.status, 'link_sent'), lte(clientAuthorisations.expiresOn, deps.clock.today())))
    .limit(1_000);
  for (const request of expiredAuthorisations) await saveAuthorisationState(deps, request, { status: 'expired', refusal: null });
}

/**
 * If HMRC rejects a practice's calls, it usually continues to do so. Skip the practice for a while, so that it doesn't use up the calls of
 * other practices.
 */
async function readDecisions(deps: AppDeps, failedUntil: Map<string, Instant>): Promise<void> {
  const now = deps.clock.now();
  const isFailing = (companyId: string) => (failedUntil.get(companyId) ?? now) > now;
  for (const request of await listPendingRequests(deps, [...failedUntil.keys()].filter(isFailing))) {
    if (isFailing(request.companyId)) continue;
    try {
      const foundStatuses = await withAgentAccessToken(deps, request.companyId, {}, (call) =>
        fetchInvitation(deps.hmrcAgent, call, request.arn, request.invitationId),
      );
      await saveAuthorisationState(deps, request, foundStatuses ?? { status: 'expired', refusal: null });
    } catch (error) {
      if (!(error instanceof ProviderError || error instanceof AppError)) throw error;
      failedUntil.set(request.companyId, addMilliseconds(now, RECHECK_INTERVAL_MS));
      deps.logger.warn({ err: error, companyId: request.companyId }, 'responses to authorisation requests could not be read');
    }
  }
}

async function listPendingRequests(deps: AppDeps, excludedPractices: readonly string[]) {
  const { companyId, clientId, tax, invitationId, status, checkedAt } = clientAuthorisations;
  const rows = await deps.database.db
    .select({ companyId, clientId, tax, invitationId, arn: practices.arn })
    .from(clientAuthorisations)
    .innerJoin(practices, eq(practices.companyId, companyId))
    // HMRC can't be called for a practice without a connection, and its requests must not delay those of other practices.
    .innerJoin(hmrcConnections, and(eq(hmrcConnections.companyId, companyId), eq(hmrcConnections.status, 'connected')))
    .where(
      and(
        eq(status, 'link_sent'),
        isNotNull(invitationId),
        isNotNull(practices.arn),
        notInArray(companyId, [...excludedPractices]),
        lt(checkedAt, addMilliseconds(deps.clock.now(), -RECHECK_INTERVAL_MS)),
      ),
    )
    .orderBy(asc(checkedAt))
    .limit(MAX_CHECKS_PER_RUN);
  return rows.flatMap((row) =>
    row.invitationId === null || row.arn === null ? [] : [{ ...row, invitationId: row.invitationId, arn: row.arn }],
  );
}

async function saveAuthorisationState(
  deps: AppDeps,
  {
    companyId,
    clientId,
    tax,
    invitationId,
  }: Pick<PendingRequest, 'companyId' | 'clientId' | 'tax'> & { readonly invitationId: string | null },
  foundState: AuthorisationState,
): Promise<void> {
  if (tax !== 'vat' && tax !== 'sa') return;
  await deps.database.db.transaction((tx) =>
    storeAuthorisation(deps, tx, { companyId, clientId, tax, pendingId: invitationId }, foundState, {
      actor: 'hmrc',
      action: 'authorisation.checked',
    }),
  );
}
