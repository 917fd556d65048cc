/** Asks Companies House about clients that came in with a company number: whether they live, and when their year ends. It waits its turn and blocks nobody. */
import type { Tx } from '@portal/db/database.ts';
import { clients } from '@portal/db/schema/schema.ts';
import type { CompanyProfile } from '@portal/providers/companies-house/companies-house-port.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { and, asc, eq, gt, isNotNull, isNull } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import type { JobRun } from '../../jobs/job-table.ts';
import { yearEndOf } from '../positions/observation-bodies.ts';
import { enqueueTotals } from '../positions/keep-totals.ts';
import { rebuildPosition } from '../positions/rebuild-position.ts';
import { recordObservation } from '../positions/record-observations.ts';
import { holdProvider, turnsInDatabase } from '../sync/provider-pace.ts';

const PROVIDER = 'companies_house';
/** Companies House allows 600 calls in five minutes, two a second, to all of us: a quarter is left to people who search. */
const GAP_MS = 1000 / 1.5;
/** A run gives way to itself after so long, so that a deploy waits for little. */
const RUN_MS = 60_000;
const RETRY_SECONDS = 300;
const LONGEST_WAIT_MS = 5_000;
const BATCH = 20;

export function enqueueEnrichment(
  deps: Pick<AppDeps, 'enqueue'>,
  db: Tx | AppDeps['database']['db'],
  companyId: string,
  delaySeconds = 0,
): Promise<void> {
  return deps.enqueue(db, 'clients.enrich', { company_id: companyId }, { singletonKey: `clients.enrich:${companyId}`, delaySeconds });
}

/** One that fails is passed over and asked again later. `gapMs` is shorter in tests. */
export async function enrichClients(
  deps: AppDeps,
  companyId: string,
  { signal }: Pick<JobRun, 'signal'>,
  { gapMs = GAP_MS, runMs = RUN_MS }: { readonly gapMs?: number; readonly runMs?: number } = {},
): Promise<void> {
  const { companyRegister, database } = deps;
  if (!companyRegister) return;
  const turns = turnsInDatabase(database, PROVIDER, gapMs);
  const stop = performance.now() + runMs;
  let after = NIL;
  let failures = 0;
  for (;;) {
    const batch = await nextUnread(deps, companyId, after);
    if (batch.length === 0) break;
    for (const client of batch) {
      if (signal.aborted || performance.now() > stop) return enqueueEnrichment(deps, database.db, companyId);
      const waitMs = await turns.reserve();
      // Others have asked us to be quiet for a while: a job that only waits would keep a worker from its work.
      if (waitMs > LONGEST_WAIT_MS) return enqueueEnrichment(deps, database.db, companyId, Math.ceil(waitMs / 1000));
      after = client.id;
      await deps.pause(waitMs);
      try {
        const profile = await companyRegister.findCompany(client.companyNumber);
        await keepProfile(deps, companyId, client.id, client.companyNumber, profile);
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        failures += 1;
        deps.logger.warn({ err: error }, 'Companies House could not be asked about a client; it is asked again later');
        const seconds = error.facts.retryAfterSeconds;
        if (error.failure !== 'throttled') continue;
        await holdProvider(database, PROVIDER, (seconds ?? RETRY_SECONDS) * 1000);
        return enqueueEnrichment(deps, database.db, companyId, seconds ?? RETRY_SECONDS);
      }
    }
  }
  if (failures > 0) await enqueueEnrichment(deps, database.db, companyId, RETRY_SECONDS);
}

const NIL = '00000000-0000-0000-0000-000000000000';

async function nextUnread({ database }: AppDeps, companyId: string, after: string): Promise<{ id: string; companyNumber: string }[]> {
  const rows = await database.db
    .select({ id: clients.id, companyNumber: clients.companyNumber })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), isNotNull(clients.companyNumber), isNull(clients.registerReadAt), gt(clients.id, after)))
    .orderBy(asc(clients.id))
    .limit(BATCH);
  return rows.flatMap(({ id, companyNumber }) => (companyNumber === null ? [] : [{ id, companyNumber }]));
}

/** `updated_at` stays: that the register was asked is nobody's work on the client, and an import must still be undone. */
async function keepProfile(
  deps: AppDeps,
  companyId: string,
  clientId: string,
  companyNumber: string,
  profile: CompanyProfile | undefined,
): Promise<void> {
  const now = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    const ofClient = and(eq(clients.companyId, companyId), eq(clients.id, clientId));
    const [client] = await tx.select().from(clients).where(ofClient).for('update');
    // Removed or given another number while the register answered.
    if (client?.companyNumber !== companyNumber) return;
    if (profile === undefined) {
      await tx.update(clients).set({ registerStatus: 'not_found', registerReadAt: now }).where(ofClient);
      return;
    }
    // The time of the reading would make every answer a new one.
    const { readAt: _readAt, ...said } = profile;
    await recordObservation(tx, {
      companyId,
      clientId,
      source: 'companies_house',
      takenAt: now,
      kind: 'companies_house_profile',
      body: said,
    });
    const yearEnd = yearEndOf(profile);
    const isOurs = client.yearEndSource === 'practice';
    await tx
      .update(clients)
      .set({
        registerStatus: profile.status,
        registerReadAt: now,
        ...(yearEnd === undefined || isOurs ? {} : { yearEndOn: yearEnd, yearEndSource: 'companies_house' as const }),
      })
      .where(ofClient);
    if (client.hasCt) await rebuildPosition(tx, { companyId, clientId, tax: 'ct', today: deps.clock.today(), now });
    await enqueueTotals(deps, tx, companyId);
  });
}
