/**
 * Reads clients at Companies House: their profile (status and year end), and their people with the dates of their identity verification.
 * Reads each client once after it is added, and again later (docs/decisions/0085-turnover-and-identity.md). This is a separate job with its
 * own rate limit, so that other work doesn't wait for it.
 */
import type { Tx } from '@portal/db/database.ts';
import { clients, companies } from '@portal/db/schema/schema.ts';
import type { RegisterPerson } from '@portal/domain/agent/agent-facts.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import type { CompanyProfile, CompanyRegister } from '@portal/providers/companies-house/companies-house-port.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { and, asc, eq, gt, isNotNull, isNull, lt, lte, notInArray, or, type SQL } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { JobRun } from '../../jobs/job-table.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { getYearEnd } from '@portal/providers/companies-house/companies-house-map.ts';
import { enqueueTotals } from '../positions/refresh-totals.ts';
import { rebuildPosition } from '../positions/rebuild-position.ts';
import type { RegisterPeopleBody } from '../positions/observation-bodies.ts';
import { recordObservations } from '../positions/record-observations.ts';
import { findFirstDue, toRegisterPeople } from './register-people.ts';
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
  let failures = 0;
  for await (const client of listClientsToRead(deps, companyId)) {
    if (signal.aborted || performance.now() > deadline) return enqueueEnrichment(deps, database.db, companyId);
    const waitMs = await rateLimiter.reserve();
    // Companies House has asked us to slow down. Queue the job again instead of blocking a worker while it waits.
    if (waitMs > MAX_WAIT_MS) return enqueueEnrichment(deps, database.db, companyId, Math.ceil(waitMs / 1000));
    await deps.pause(waitMs);
    try {
      await readClient(deps, companyRegister, companyId, client, async () => deps.pause(await rateLimiter.reserve()));
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      failures += 1;
      deps.logger.warn({ err: error }, 'a company could not be read at Companies House; the client is retried later');
      const seconds = error.facts.retryAfterSeconds;
      if (error.failure !== 'throttled') continue;
      await pauseProvider(database, PROVIDER, (seconds ?? RETRY_SECONDS) * 1000);
      return enqueueEnrichment(deps, database.db, companyId, seconds ?? RETRY_SECONDS);
    }
  }
  if (failures > 0) await enqueueEnrichment(deps, database.db, companyId, RETRY_SECONDS);
}

const NIL_UUID = '00000000-0000-0000-0000-000000000000';

type UnreadClient = { readonly id: string; readonly companyNumber: string };

/** People whose verification is due soon are read again after a week, others after three months. */
const REREAD_DUE_DAYS = 7;
const REREAD_DAYS = 90;
const DUE_SOON_DAYS = 60;

/** Clients that were never read come first, so that a new client doesn't wait for clients being reread. */
async function* listClientsToRead(deps: AppDeps, companyId: string): AsyncGenerator<UnreadClient> {
  for (const condition of [isNull(clients.registerReadAt), isDueForReread(deps)]) {
    let afterId = NIL_UUID;
    for (;;) {
      const batch = await selectClients(deps, companyId, afterId, condition);
      if (batch.length === 0) break;
      for (const client of batch) {
        afterId = client.id;
        yield client;
      }
    }
  }
}

function isDueForReread({ clock }: Pick<AppDeps, 'clock'>): SQL | undefined {
  const getDaysAgo = (days: number): Instant => addMilliseconds(clock.now(), -days * 86_400_000);
  return and(
    isNotNull(clients.registerReadAt),
    notInArray(clients.status, ['inactive', 'closed']),
    or(
      isNull(clients.registerPeopleReadAt),
      lt(clients.registerPeopleReadAt, getDaysAgo(REREAD_DAYS)),
      and(lt(clients.registerPeopleReadAt, getDaysAgo(REREAD_DUE_DAYS)), lte(clients.identityDueOn, addDays(clock.today(), DUE_SOON_DAYS))),
    ),
  );
}

async function selectClients(
  { database }: AppDeps,
  companyId: string,
  afterId: string,
  condition: SQL | undefined,
): Promise<UnreadClient[]> {
  const rows = await database.db
    .select({ id: clients.id, companyNumber: clients.companyNumber })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), isNotNull(clients.companyNumber), condition, gt(clients.id, afterId)))
    .orderBy(asc(clients.id))
    .limit(BATCH_SIZE);
  return rows.flatMap(({ id, companyNumber }) => (companyNumber === null ? [] : [{ id, companyNumber }]));
}

/** Queues a practice's clients that are due to be read again. */
export async function sweepRegister(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  if (!deps.companyRegister) return;
  const practices = await db
    .selectDistinct({ companyId: clients.companyId })
    .from(clients)
    .innerJoin(companies, and(eq(companies.id, clients.companyId), isNull(companies.closedAt)))
    .where(and(isNotNull(clients.companyNumber), isDueForReread(deps)));
  await tryEach(practices, ({ companyId }) => enqueueEnrichment(deps, db, companyId));
}

/**
 * Makes three calls. `waitForSlot` waits until the register's rate limit allows the next one; the caller has already waited for the first.
 */
async function readClient(
  deps: AppDeps,
  register: CompanyRegister,
  companyId: string,
  { id, companyNumber }: UnreadClient,
  waitForSlot: () => Promise<unknown>,
): Promise<void> {
  const profile = await register.findCompany(companyNumber);
  if (profile) await waitForSlot();
  const officers = profile ? await register.listOfficers(companyNumber) : [];
  if (profile) await waitForSlot();
  const controllers = profile ? await register.listControllers(companyNumber) : [];
  await saveProfile(deps, companyId, id, companyNumber, profile, toRegisterPeople(officers, controllers));
}

/** Leaves `updated_at` unchanged: reading the register is not a user's change, and the import must stay undoable. */
async function saveProfile(
  deps: AppDeps,
  companyId: string,
  clientId: string,
  companyNumber: string,
  profile: CompanyProfile | undefined,
  people: readonly RegisterPerson[],
): Promise<void> {
  const [now, today] = [deps.clock.now(), deps.clock.today()];
  await deps.database.db.transaction(async (tx) => {
    const isThisClient = and(eq(clients.companyId, companyId), eq(clients.id, clientId));
    const [client] = await tx.select().from(clients).where(isThisClient).for('update');
    // During the call, the client was removed or its company number was changed.
    if (client?.companyNumber !== companyNumber) return;
    if (profile === undefined) {
      const notFound = { registerStatus: 'not_found', registerReadAt: now, registerPeopleReadAt: now, identityDueOn: null };
      await tx.update(clients).set(notFound).where(isThisClient);
      return;
    }
    // Exclude the time of reading; otherwise every response would count as a change.
    const { readAt: _readAt, ...details } = profile;
    const bodies = [
      { kind: 'companies_house_profile', body: details },
      { kind: 'companies_house_people', body: { companyNumber, people } satisfies RegisterPeopleBody },
    ] as const;
    await recordObservations(tx, companyId, [{ clientId, source: 'companies_house', takenAt: now, bodies }]);
    const yearEnd = getYearEnd(profile);
    const isSetByPractice = client.yearEndSource === 'practice';
    await tx
      .update(clients)
      .set({
        registerStatus: profile.status,
        registerReadAt: now,
        registerPeopleReadAt: now,
        identityDueOn: findFirstDue(people, today),
        ...(yearEnd === undefined || isSetByPractice ? {} : { yearEndOn: yearEnd, yearEndSource: 'companies_house' as const }),
      })
      .where(isThisClient);
    if (client.hasCt) await rebuildPosition(tx, { companyId, clientId, tax: 'ct', today, now, cause: 'data' });
    await enqueueTotals(deps, tx, companyId);
  });
}
