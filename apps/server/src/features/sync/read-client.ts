/**
 * Reads the clients of a run from HMRC one by one. Then saves the results, including failures and their reasons, and rebuilds positions,
 * all in one transaction.
 */
import { wasAuthorised } from '@portal/domain/authorisations/describe-authorisation.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { agentSettings, clientAuthorisations, clients, clientSyncs, syncRuns, type ObservationKind } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { SyncReason } from '@portal/domain/sync/sync-reasons.ts';
import type { HmrcCall } from '@portal/providers/hmrc/hmrc-types.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { and, eq, inArray, ne, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { enqueueTotals } from '../positions/refresh-totals.ts';
import { listLatestObservations } from '../positions/load-facts.ts';
import { rebuildPositions } from '../positions/rebuild-position.ts';
import { recordObservations } from '../positions/record-observations.ts';
import { explainFailure } from './explain-failure.ts';
import { recordThrottling, repeatThrottledCalls } from './repeat-throttled-calls.ts';
import { readSelfAssessment } from './read-self-assessment.ts';
import { readVat, type ObservedBodies } from './read-vat.ts';
import { readVatReturns } from './read-vat-returns.ts';
import { settleClaims, type Claim, type RunKey } from './sync-queue.ts';

/** The facts about a client that decide which calls to make and how to interpret responses. */
export type KnownIdentifiers = {
  readonly vrn: string | null;
  readonly nino: string | null;
  readonly wasAuthorised: boolean;
  readonly before: ObservedBodies;
  /** How many calls can be made for earlier VAT returns. */
  readonly maxReturnCalls: number;
};

const NO_IDENTIFIERS: KnownIdentifiers = { vrn: null, nino: null, wasAuthorised: false, before: {}, maxReturnCalls: 0 };

/** In a run with only a few clients, each client's earlier returns are all read immediately; otherwise one is read with each refresh. */
const FEW_CLIENTS = 25;
const MAX_RETURN_CALLS = { few: 13, many: 1 } as const;

/** HMRC's data for a client under a reference, or the reason for a failure. `refusal` is HMRC's error code. */
export type Reading =
  | { readonly claim: Claim; readonly readAt: Instant; readonly bodies: ObservedBodies; readonly reference: string }
  | { readonly claim: Claim; readonly reason: SyncReason; readonly refusal: string | null };

/** HMRC asked us to slow down, for `retryAfterSeconds` if it gave a time. */
export type ThrottledResult = { readonly isThrottled: true; readonly retryAfterSeconds: number | undefined };

/** Reads one client from HMRC without writing anything. Throws if the practice's connection has ended, or if the failure is our own bug. */
export async function readClient(
  deps: AppDeps,
  run: RunKey,
  call: HmrcCall,
  claim: Claim,
  knownFacts: KnownIdentifiers,
  signal: AbortSignal,
): Promise<Reading | ThrottledResult> {
  const reference = run.tax === 'vat' ? knownFacts.vrn : knownFacts.nino;
  if (reference === null) return { claim, reason: 'no_reference', refusal: null };
  try {
    const bodies = await readTax(deps, run, call, reference, knownFacts, signal);
    return { claim, bodies, reference, readAt: deps.clock.now() };
  } catch (error) {
    const reason = explainFailure(error, knownFacts.wasAuthorised);
    // A stale access token isn't this client's failure. The caller refreshes it or ends the run.
    if (reason === undefined || (error instanceof ProviderError && error.failure === 'unauthorized')) throw error;
    if (reason === 'rate_limited') {
      return { isThrottled: true, retryAfterSeconds: error instanceof ProviderError ? error.facts.retryAfterSeconds : undefined };
    }
    return { claim, reason, refusal: error instanceof ProviderError ? (error.facts.code ?? null) : null };
  }
}

async function readTax(
  deps: AppDeps,
  run: RunKey,
  call: HmrcCall,
  reference: string,
  { before, maxReturnCalls: maxCalls }: KnownIdentifiers,
  signal: AbortSignal,
): Promise<ObservedBodies> {
  const { hmrcRuns, clock } = deps;
  const today = clock.today();
  const record = (pauseMs: number): Promise<void> => recordThrottling(deps, run, pauseMs);
  if (run.tax !== 'vat') return readSelfAssessment(repeatThrottledCalls(deps, hmrcRuns.sa, signal, record), call, reference, before, today);
  const bodies = await readVat(repeatThrottledCalls(deps, hmrcRuns.vat, signal, record), call, reference, before, today);
  const returns = await readVatReturns(hmrcRuns.vat, call, {
    vrn: reference,
    obligations: bodies.vat_obligations ?? [],
    before: before.vat_returns,
    today,
    maxCalls,
  });
  return { ...bodies, ...(returns ? { vat_returns: returns } : {}) };
}

/** Loads the facts of a whole batch with three statements. */
export async function loadKnownFacts(
  db: Db,
  { companyId, runId, tax }: RunKey,
  claims: readonly Claim[],
): Promise<(claim: Claim) => KnownIdentifiers> {
  const ids = claims.map(({ clientId }) => clientId);
  const foundClients = await db
    .select({
      id: clients.id,
      vrn: clients.vrn,
      nino: clients.nino,
      readAt: clientSyncs.readAt,
      authorisation: clientAuthorisations.status,
    })
    .from(clients)
    .leftJoin(
      clientSyncs,
      and(eq(clientSyncs.companyId, clients.companyId), eq(clientSyncs.clientId, clients.id), eq(clientSyncs.tax, tax)),
    )
    .leftJoin(
      clientAuthorisations,
      and(
        eq(clientAuthorisations.companyId, clients.companyId),
        eq(clientAuthorisations.clientId, clients.id),
        eq(clientAuthorisations.tax, tax),
      ),
    )
    .where(and(eq(clients.companyId, companyId), inArray(clients.id, ids)));
  const observations = await listLatestObservations(db, companyId, tax, ids, tax === 'vat' ? ['vat_returns'] : []);
  const maxReturnCalls = tax === 'vat' ? await getMaxReturnCalls(db, companyId, runId) : 0;
  const observationsByClient = Map.groupBy(observations, ({ clientId }) => clientId);
  const knownReadings = new Map(
    foundClients.map(({ id, vrn, nino, readAt, authorisation: status }) => [
      id,
      {
        vrn,
        nino,
        wasAuthorised: readAt !== null || wasAuthorised(status),
        before: Object.fromEntries((observationsByClient.get(id) ?? []).map(({ kind, body }) => [kind, body])) as ObservedBodies,
        maxReturnCalls,
      },
    ]),
  );
  return ({ clientId }) => knownReadings.get(clientId) ?? NO_IDENTIFIERS;
}

/** Only the assistant's rules need earlier returns, so no calls are made for a practice that doesn't use it. */
async function getMaxReturnCalls(db: Db, companyId: string, runId: string): Promise<number> {
  const [runRow] = await db
    .select({ total: syncRuns.total })
    .from(syncRuns)
    .innerJoin(agentSettings, and(eq(agentSettings.companyId, syncRuns.companyId), ne(agentSettings.mode, 'off')))
    .where(and(eq(syncRuns.companyId, companyId), eq(syncRuns.id, runId)));
  if (!runRow) return 0;
  return runRow.total <= FEW_CLIENTS ? MAX_RETURN_CALLS.few : MAX_RETURN_CALLS.many;
}

/** Saves readings in one transaction. Discards readings of clients that this worker no longer has a claim on. */
export async function saveReadings(deps: AppDeps, run: RunKey, readings: readonly Reading[]): Promise<void> {
  if (readings.length === 0) return;
  const { companyId, tax } = run;
  const now = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    const stillClaimed = await settleClaims(tx, run, readings, deps.wallClock.now());
    const current = readings.filter(({ claim }) => stillClaimed.has(claim.clientId));
    if (current.length === 0) return;
    const observations = current.flatMap((reading) => {
      if (!('bodies' in reading)) return [];
      const bodies = Object.entries(reading.bodies).map(([kind, body]) => ({ kind: kind as ObservationKind, body }));
      const { claim, readAt, reference } = reading;
      return [{ clientId: claim.clientId, source: 'hmrc' as const, takenAt: readAt, reference, bodies }];
    });
    await recordObservations(tx, companyId, observations);
    await saveAuthorisations(tx, run, current, now);
    const clientIds = current.map(({ claim }) => claim.clientId);
    await rebuildPositions(tx, { companyId, tax, clientIds, today: deps.clock.today(), now, cause: 'data' });
    await enqueueTotals(deps, tx, companyId);
  });
}

/**
 * Stores the authorisation states that HMRC's responses prove. A rejected reading doesn't change a request that is still waiting for the
 * client.
 */
async function saveAuthorisations(tx: Tx, { companyId, tax }: RunKey, readings: readonly Reading[], checkedAt: Instant): Promise<void> {
  const rows = readings.flatMap((reading) => {
    const status = toProvenStatus(reading);
    if (status === undefined) return [];
    const refusal = 'refusal' in reading ? reading.refusal : null;
    return [{ companyId, clientId: reading.claim.clientId, tax, status, checkedAt, refusal }];
  });
  if (rows.length === 0) return;
  const { status } = clientAuthorisations;
  await tx
    .insert(clientAuthorisations)
    .values(rows)
    .onConflictDoUpdate({
      target: [clientAuthorisations.companyId, clientAuthorisations.clientId, clientAuthorisations.tax],
      set: {
        status: sql`case excluded.status
          when 'authorised' then case when ${status} = 'expiring' then ${status} else 'authorised' end
          when 'suspended' then 'suspended'
          when 'revoked' then case when ${status} in ('authorised', 'expiring') then 'revoked' else ${status} end
          else ${status} end`,
        checkedAt,
        refusal: sql`excluded.refusal`,
      },
    });
}

function toProvenStatus(reading: Reading): 'authorised' | 'revoked' | 'suspended' | 'not_started' | undefined {
  if ('bodies' in reading) return 'authorised';
  if (reading.reason === 'insolvent') return 'suspended';
  if (reading.reason === 'authorisation_revoked') return 'revoked';
  return reading.reason === 'not_authorised' ? 'not_started' : undefined;
}
