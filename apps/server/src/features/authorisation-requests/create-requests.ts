/** The job that creates authorisation requests at HMRC, one client after another, until its time budget is used up. */
import { authorisationRunClients, authorisationRuns } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { RequestOutcome, SkipReason } from '@portal/domain/authorisations/request-outcome.ts';
import { planRequest } from '@portal/domain/authorisations/request-outcome.ts';
import { getAuthorisationStatus } from '@portal/domain/authorisations/describe-authorisation.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import type { AgentAuthorisationClient } from '@portal/providers/hmrc-agent/agent-authorisation-port.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { and, asc, eq, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { queueRequestEmail } from '../authorisation-emails/queue-request-email.ts';
import { openFraudHeaders } from '../hmrc-connection/seal-fraud-headers.ts';
import { loadFacts, type Facts } from '../authorisations/load-authorisation-facts.ts';
import { buildIdentity, toAuthorisationState } from '../authorisations/authorise-client.ts';
import { storeAuthorisation, type AuthorisationState } from '../authorisations/store-authorisation.ts';
import { withAgentAccessToken } from '../hmrc-connection/with-trader-access-token.ts';
import { isThrottled, repeatThrottledCalls } from '../sync/repeat-throttled-calls.ts';
import { pauseProvider } from '../sync/shared-rate-limiter.ts';
import { enqueueRequests, type RequestRunKey } from './start-requests.ts';

/** Short, so that other jobs can run and a shutdown doesn't wait long. */
const TIME_BUDGET_MS = 15_000;
/** How long the job waits when HMRC's rate limit keeps rejecting its calls. */
const THROTTLED_WAIT_SECONDS = 15;

type Run = typeof authorisationRuns.$inferSelect;

export async function createRequests(deps: AppDeps, key: RequestRunKey, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + TIME_BUDGET_MS;
  const isThisRun = and(
    eq(authorisationRuns.companyId, key.companyId),
    eq(authorisationRuns.id, key.runId),
    isNull(authorisationRuns.endedAt),
  );
  const { db } = deps.database;
  for (;;) {
    const [run] = await db.select().from(authorisationRuns).where(isThisRun);
    if (!run) return;
    const clientId = await findNextClient(deps, key);
    if (clientId === undefined) {
      await db.update(authorisationRuns).set({ endedAt: deps.clock.now() }).where(isThisRun);
      return;
    }
    if (signal.aborted || performance.now() > deadline) return enqueueRequests(deps, db, key);
    try {
      await createRequest(deps, run, clientId, signal);
    } catch (error) {
      if (isThrottled(error)) return enqueueRequests(deps, db, key, THROTTLED_WAIT_SECONDS);
      if (!(error instanceof AppError && error.code === 'hmrc.not_connected')) throw error;
      await db.update(authorisationRuns).set({ endedAt: deps.clock.now(), reason: 'connection_ended' }).where(isThisRun);
      return;
    }
  }
}

async function findNextClient({ database: { db } }: AppDeps, { companyId, runId }: RequestRunKey): Promise<string | undefined> {
  const [next] = await db
    .select({ clientId: authorisationRunClients.clientId })
    .from(authorisationRunClients)
    .where(
      and(
        eq(authorisationRunClients.companyId, companyId),
        eq(authorisationRunClients.runId, runId),
        isNull(authorisationRunClients.outcome),
      ),
    )
    .orderBy(asc(authorisationRunClients.clientId))
    .limit(1);
  return next?.clientId;
}

/** HMRC is called between two commits. If its response is lost, HMRC returns the existing request when a second one is created. */
async function createRequest(deps: AppDeps, run: Run, clientId: string, signal: AbortSignal): Promise<void> {
  const { companyId, tax } = run;
  const facts = await loadFacts(deps.database.db, { companyId, clientId });
  const plan = replanRequest(deps, facts, tax);
  if (plan !== 'ready') return saveOutcome(deps, run, clientId, isRefused(plan) ? 'refused' : plan);
  const arn = facts.practice?.arn;
  const identity = buildIdentity(facts, tax, {});
  if (!arn || !identity) return saveOutcome(deps, run, clientId, 'refused');
  const agent: AgentAuthorisationClient = repeatThrottledCalls(deps, deps.hmrcAgent, signal, (ms) =>
    pauseProvider(deps.database, 'hmrc', ms),
  );
  const fraudHeaders = openFraudHeaders(deps, companyId, run.fraudHeaders);
  try {
    const { outcome, state } = await withAgentAccessToken(deps, companyId, fraudHeaders, async (call) => {
      const result = await agent.sendInvitation(call, arn, identity);
      return { outcome: toOutcome(result), state: await toAuthorisationState(agent, call, arn, result) };
    });
    await saveOutcome(deps, run, clientId, outcome, state);
  } catch (error) {
    if (!(error instanceof ProviderError) || isThrottled(error)) throw error;
    deps.logger.warn({ err: error, companyId, clientId }, 'an authorisation request could not be created');
    await saveOutcome(deps, run, clientId, 'failed');
  }
}

const isRefused = (plan: SkipReason) => plan === 'no_tax' || plan === 'in_vat_group' || plan === 'not_current';

function replanRequest(deps: AppDeps, { client, storedAuthorisations }: Facts, tax: Run['tax']) {
  const storedAuthorisation = storedAuthorisations.get(tax);
  return planRequest({
    hasTax: tax === 'vat' ? client.hasVat : client.hasSa,
    isGroupMember: tax === 'vat' && client.vatGroupRole === 'member',
    isCurrent: client.status !== 'inactive' && client.status !== 'closed',
    status: getAuthorisationStatus({
      tax,
      status: storedAuthorisation?.status ?? null,
      sentOn: storedAuthorisation?.sentAt ? toLondonDate(storedAuthorisation.sentAt) : null,
      expiresOn: storedAuthorisation?.expiresOn ?? null,
      hmrcConnection: 'connected',
      today: deps.clock.today(),
    }),
    hasLink: (storedAuthorisation?.clientActionUrl ?? null) !== null,
    hasReference: (tax === 'vat' ? client.vrn : client.nino) !== null,
    hasFact: (tax === 'vat' ? client.vatRegisteredOn : client.postcode) !== null,
  });
}

type SendInvitationResult = Awaited<ReturnType<AgentAuthorisationClient['sendInvitation']>>;

function toOutcome(result: SendInvitationResult): RequestOutcome {
  switch (result.outcome) {
    case 'sent':
      return 'created';
    case 'already_pending':
      return 'pending';
    case 'already_authorised':
      return 'authorised';
    case 'refused':
      if (result.reason === 'client_insolvent') return 'insolvent';
      return /^(postcode|registration_date)_/.test(result.reason) ? 'wrong_fact' : 'refused';
  }
}

async function saveOutcome(deps: AppDeps, run: Run, clientId: string, outcome: RequestOutcome, state?: AuthorisationState): Promise<void> {
  const { companyId, tax } = run;
  await deps.database.db.transaction(async (tx) => {
    if (state) {
      const reason = { actor: run.startedBy, action: 'authorisation.requested' };
      await storeAuthorisation(deps, tx, { companyId, clientId, tax }, state, reason);
      if (run.emailsClients) {
        // A run's emails are one message to its clients, so the message has the run's ID.
        const email = { kind: 'first' as const, requestedBy: run.startedBy, messageId: run.id, actor: run.startedBy };
        await queueRequestEmail(deps, tx, { companyId, clientId, tax }, email);
      }
    }
    await tx
      .update(authorisationRunClients)
      .set({ outcome })
      .where(
        and(
          eq(authorisationRunClients.companyId, companyId),
          eq(authorisationRunClients.runId, run.id),
          eq(authorisationRunClients.clientId, clientId),
        ),
      );
  });
}
