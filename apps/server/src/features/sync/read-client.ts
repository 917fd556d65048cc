/** One client of a run: read at HMRC, kept and worked out in one transaction, or failed with its reason in one. */
import type { Db, Tx } from '@portal/db/database.ts';
import { clientAuthorisations, clientObservations, clients, clientSyncs, type ObservationKind } from '@portal/db/schema/schema.ts';
import type { SyncReason } from '@portal/domain/practice/sync-reasons.ts';
import type { HmrcCall } from '@portal/providers/hmrc/hmrc-client.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { and, desc, eq, sql } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { enqueueTotals } from '../positions/keep-totals.ts';
import { rebuildPosition } from '../positions/rebuild-position.ts';
import { recordObservations } from '../positions/record-observations.ts';
import { explainFailure } from './explain-failure.ts';
import { readSelfAssessment } from './read-self-assessment.ts';
import { readVat, type Before } from './read-vat.ts';
import { completeClaim, failClaim, type Claim, type RunKey } from './sync-queue.ts';

/** `throttled` names how long HMRC asks us to wait, where it does. */
export type ReadOutcome = 'read' | 'failed' | 'lost' | { readonly throttled: true; readonly retryAfterSeconds: number | undefined };

type Known = { readonly vrn: string | null; readonly nino: string | null; readonly wasAuthorised: boolean; readonly before: Before };

/** `throttled`: nothing was written, the row is still in hand. Throws where the practice's grant is gone, or where we are at fault. */
export async function readClient(
  deps: AppDeps,
  run: RunKey,
  claim: Claim,
  useGrant: <Result>(work: (call: HmrcCall) => Promise<Result>) => Promise<Result>,
): Promise<ReadOutcome> {
  const known = await loadKnown(deps.database.db, run, claim.clientId);
  const reference = run.tax === 'vat' ? known.vrn : known.nino;
  if (reference === null) return fail(deps, run, claim, 'no_reference');
  try {
    const bodies = await useGrant((call) => readTax(deps, run, call, reference, known.before));
    return await keep(deps, run, claim, bodies);
  } catch (error) {
    const reason = explainFailure(error, known.wasAuthorised);
    // The grant itself is no client's failure: it ends the run.
    if (reason === undefined || (error instanceof ProviderError && error.failure === 'unauthorized')) throw error;
    if (reason === 'rate_limited') {
      return { throttled: true, retryAfterSeconds: error instanceof ProviderError ? error.facts.retryAfterSeconds : undefined };
    }
    const refusal = error instanceof ProviderError ? (error.facts.code ?? null) : null;
    return fail(deps, run, claim, reason, refusal);
  }
}

function readTax({ hmrcRuns, clock }: AppDeps, { tax }: RunKey, call: HmrcCall, reference: string, before: Before): Promise<Before> {
  const today = clock.today();
  return tax === 'vat'
    ? readVat(hmrcRuns.vat, call, reference, before, today)
    : readSelfAssessment(hmrcRuns.sa, call, reference, before, today);
}

async function loadKnown(db: Db, { companyId, tax }: RunKey, clientId: string): Promise<Known> {
  const [client] = await db
    .select({ vrn: clients.vrn, nino: clients.nino, readAt: clientSyncs.readAt, authorisation: clientAuthorisations.status })
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
    .where(and(eq(clients.companyId, companyId), eq(clients.id, clientId)));
  const rows = await db
    .selectDistinctOn([clientObservations.kind], { kind: clientObservations.kind, body: clientObservations.body })
    .from(clientObservations)
    .where(and(eq(clientObservations.companyId, companyId), eq(clientObservations.clientId, clientId)))
    .orderBy(clientObservations.kind, desc(clientObservations.takenAt));
  const { authorisation } = client ?? {};
  return {
    vrn: client?.vrn ?? null,
    nino: client?.nino ?? null,
    wasAuthorised:
      (client?.readAt ?? null) !== null || authorisation === 'authorised' || authorisation === 'expiring' || authorisation === 'revoked',
    before: Object.fromEntries(rows.map(({ kind, body }) => [kind, body])) as Before,
  };
}

function keep(deps: AppDeps, run: RunKey, claim: Claim, bodies: Before): Promise<ReadOutcome> {
  const now = deps.clock.now();
  return deps.database.db.transaction(async (tx) => {
    if (!(await completeClaim(tx, run, claim, now))) return 'lost';
    const of = { companyId: run.companyId, clientId: claim.clientId, source: 'hmrc' as const, takenAt: now };
    const list = Object.entries(bodies).map(([kind, body]) => ({ kind: kind as ObservationKind, body }));
    await recordObservations(tx, { ...of, bodies: list });
    await noteAuthorisation(tx, run, claim.clientId, 'authorised', now, null);
    await workOut(deps, tx, run, claim);
    return 'read';
  });
}

function fail(deps: AppDeps, run: RunKey, claim: Claim, reason: SyncReason, refusal: string | null = null): Promise<ReadOutcome> {
  return deps.database.db.transaction(async (tx) => {
    if (!(await failClaim(tx, run, claim, reason, deps.wallClock.now()))) return 'lost';
    if (reason === 'authorisation_revoked') await noteAuthorisation(tx, run, claim.clientId, 'revoked', deps.clock.now(), refusal);
    if (reason === 'not_authorised') await noteAuthorisation(tx, run, claim.clientId, 'not_started', deps.clock.now(), refusal);
    await workOut(deps, tx, run, claim);
    return 'failed';
  });
}

/** Writes a row failed for good where a run may not go on trying. */
export function giveUp(deps: AppDeps, run: RunKey, claim: Claim, reason: SyncReason): Promise<ReadOutcome> {
  return fail(deps, run, claim, reason);
}

async function workOut(deps: AppDeps, tx: Tx, { companyId, tax }: RunKey, { clientId }: Claim): Promise<void> {
  await rebuildPosition(tx, { companyId, clientId, tax, today: deps.clock.today(), now: deps.clock.now() });
  await enqueueTotals(deps, tx, companyId);
}

/** What HMRC's answer proves. A request that waits for the client's answer is not undone by a reading that is refused meanwhile. */
async function noteAuthorisation(
  tx: Tx,
  { companyId, tax }: RunKey,
  clientId: string,
  status: 'authorised' | 'revoked' | 'not_started',
  checkedAt: ReturnType<AppDeps['clock']['now']>,
  refusal: string | null,
): Promise<void> {
  const { status: column } = clientAuthorisations;
  const next = {
    authorised: sql`case when ${column} = 'expiring' then ${column} else 'authorised' end`,
    revoked: sql`case when ${column} in ('authorised', 'expiring') then 'revoked' else ${column} end`,
    not_started: sql`${column}`,
  }[status];
  await tx
    .insert(clientAuthorisations)
    .values({ companyId, clientId, tax, status, checkedAt, refusal })
    .onConflictDoUpdate({
      target: [clientAuthorisations.companyId, clientAuthorisations.clientId, clientAuthorisations.tax],
      set: { status: next, checkedAt, refusal },
    });
}
