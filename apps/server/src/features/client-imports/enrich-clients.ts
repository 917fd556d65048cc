/**
 * Reads the Companies House profile (status and year end) of imported clients. This is a separate job with its own rate limit, so that
 * other work does not wait for it.
 */
import type { Tx } from '@portal/db/database.ts';
import { clients } from '@portal/db/schema/schema.ts';
import type { CompanyProfile } from '@portal/providers/companies-house/companies-house-port.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { and, asc, eq, gt, isNotNull, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { JobRun } from '../../jobs/job-table.ts';
import { getYearEnd } from '@portal/providers/companies-house/companies-house-map.ts';
import { enqueueTotals } from '../positions/refresh-totals.ts';
import { rebuildPosition } from '../positions/rebuild-position.ts';
import { recordObservation } from '../positions/record-observations.ts';
import { pauseProvider, createSharedRateLimiter } from '../sync/shared-rate-limiter.ts';

const PROVIDER = 'companies_house';
/** Companies House allows 600 calls in five minutes (two a second) for each API key. A quarter is left for users' searches. */
const MIN_INTERVAL_MS = 1000 / 1.5;
/** A run stops after a minute and queues the next one, so that a deployment never waits long for it. */
const MAX_RUN_MS = 60_000;
const RETRY_SECONDS = 300;
const MAX_WAIT_MS = 5_000;
const BATCH_SIZE = 20;

export function enqueueEnrichment(
  deps: Pick<AppDeps, 'enqueue'>,
  db: Tx | AppDeps['database']['db'],
  companyId: string,
  delaySeconds = 0,
): Promise<void> {
  return deps.enqueue(db, 'clients.enrich', { company_id: companyId }, { singletonKey: `clients.enrich:${companyId}`, delaySeconds });
}

/** Skips a client whose call fails and retries it later. Tests pass a shorter `minIntervalMs`. */
export async function enrichClients(
  deps: AppDeps,
  companyId: string,
  { signal }: Pick<JobRun, 'signal'>,
  { minIntervalMs = MIN_INTERVAL_MS, maxRunMs = MAX_RUN_MS }: { readonly minIntervalMs?: number; readonly maxRunMs?: number } = {},
): Promise<void> {
  const { companyRegister, database } = deps;
  if (!companyRegister) return;
  const rateLimiter = createSharedRateLimiter(database, PROVIDER, minIntervalMs);
  const deadline = performance.now() + maxRunMs;
  let after = NIL_UUID;
  let failures = 0;
  for (;;) {
    const batch = await listUnreadClients(deps, companyId, after);
    if (batch.length === 0) break;
    for (const client of batch) {
      if (signal.aborted || performance.now() > deadline) return enqueueEnrichment(deps, database.db, companyId);
      const waitMs = await rateLimiter.reserve();
      // Companies House has asked us to slow down. Queue the job again instead of blocking a worker while it waits.
      if (waitMs > MAX_WAIT_MS) return enqueueEnrichment(deps, database.db, companyId, Math.ceil(waitMs / 1000));
      after = client.id;
      await deps.pause(waitMs);
      try {
        const profile = await companyRegister.findCompany(client.companyNumber);
        await saveProfile(deps, companyId, client.id, client.companyNumber, profile);
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        failures += 1;
        deps.logger.warn({ err: error }, 'Companies House profile could not be read; the client is retried later');
        const seconds = error.facts.retryAfterSeconds;
        if (error.failure !== 'throttled') continue;
        await pauseProvider(database, PROVIDER, (seconds ?? RETRY_SECONDS) * 1000);
        return enqueueEnrichment(deps, database.db, companyId, seconds ?? RETRY_SECONDS);
      }
    }
  }
  if (failures > 0) await enqueueEnrichment(deps, database.db, companyId, RETRY_SECONDS);
}

const NIL_UUID = '00000000-0000-0000-0000-000000000000';

async function listUnreadClients(
  { database }: AppDeps,
  companyId: string,
  after: string,
): Promise<{ id: string; companyNumber: string }[]> {
  const rows = await database.db
    .select({ id: clients.id, companyNumber: clients.companyNumber })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), isNotNull(clients.companyNumber), isNull(clients.registerReadAt), gt(clients.id, after)))
    .orderBy(asc(clients.id))
    .limit(BATCH_SIZE);
  return rows.flatMap(({ id, companyNumber }) => (companyNumber === null ? [] : [{ id, companyNumber }]));
}

/** Leaves `updated_at` unchanged: reading the register is not a user's change, and the import must stay undoable. */
async function saveProfile(
  deps: AppDeps,
  companyId: string,
  clientId: string,
  companyNumber: string,
  profile: CompanyProfile | undefined,
): Promise<void> {
  const now = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    const isThisClient = and(eq(clients.companyId, companyId), eq(clients.id, clientId));
    const [client] = await tx.select().from(clients).where(isThisClient).for('update');
    // During the call, the client was removed or its company number was changed.
    if (client?.companyNumber !== companyNumber) return;
    if (profile === undefined) {
      await tx.update(clients).set({ registerStatus: 'not_found', registerReadAt: now }).where(isThisClient);
      return;
    }
    // Leave out the time of reading, otherwise every response would count as a change.
    const { readAt: _readAt, ...details } = profile;
    await recordObservation(tx, {
      companyId,
      clientId,
      source: 'companies_house',
      takenAt: now,
      kind: 'companies_house_profile',
      body: details,
    });
    const yearEnd = getYearEnd(profile);
    const isSetByPractice = client.yearEndSource === 'practice';
    await tx
      .update(clients)
      .set({
        registerStatus: profile.status,
        registerReadAt: now,
        ...(yearEnd === undefined || isSetByPractice ? {} : { yearEndOn: yearEnd, yearEndSource: 'companies_house' as const }),
      })
      .where(isThisClient);
    if (client.hasCt) await rebuildPosition(tx, { companyId, clientId, tax: 'ct', today: deps.clock.today(), now, cause: 'data' });
    await enqueueTotals(deps, tx, companyId);
  });
}
