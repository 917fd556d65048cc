/**
 * Metrics of the whole product for /portal/metrics. Each group is cached for its time to live, however often Prometheus scrapes, and
 * PostgreSQL cancels a statement that takes too long. A group that can't be read is removed, so that an old figure never looks current.
 */
import { setTimeout } from 'node:timers/promises';
import type { Database, Tx } from '@portal/db/database.ts';
import { PAYOUT_STATUSES } from '@portal/db/schema/advances.ts';
import { addMilliseconds, type Clock } from '@portal/domain/clock.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { EXPOSED_STATES } from '@portal/domain/advances/advance-states.ts';
import { inArray, sql } from '@portal/db/sql.ts';
import type { Logger } from 'pino';
import { jobTable } from '../../jobs/job-kinds.ts';
import { failedQueueName, queueName, tickQueueName, urgentQueueName } from '../../jobs/queues.ts';
import type { DatabaseGauges } from '../../observability/metrics.ts';
import { runAsSystem } from '../../run-as-system.ts';
import { loadExposureLimits, sumExposure } from '../advances/exposure.ts';
import { NEEDS_PERSON } from '../billing/refund-facts.ts';
import { COMMAND_LINE } from '../operator-people/operator-accounts.ts';

const STATEMENT_TIMEOUT_MS = 2_000;
/** Half of the time that Prometheus waits by default. */
const SCRAPE_DEADLINE_MS = 5_000;
const DAY_MS = 86_400_000;
/** States of a payout that isn't final yet. */
const OPEN_STATUSES = ['created', 'submitted'] as const satisfies readonly (typeof PAYOUT_STATUSES)[number][];

type Deps = { readonly database: Database; readonly clock: Clock; readonly wallClock: Clock; readonly logger: Logger };
type GaugeName = Exclude<keyof DatabaseGauges, 'failures'>;
type Group = {
  readonly ttlMs: number;
  /** The gauges to remove if the group can't be read. */
  readonly gauges: readonly GaugeName[];
  readonly read: (tx: Tx, gauges: DatabaseGauges, deps: Deps) => Promise<void>;
};

const GROUPS: Readonly<Record<string, Group>> = {
  jobs: { ttlMs: 5_000, gauges: ['jobsWaiting', 'jobsOldest', 'jobsFailed', 'hmrcBooked'], read: readJobs },
  payouts: { ttlMs: 15_000, gauges: ['payouts', 'payoutsOldest', 'payoutsUnknown'], read: readPayouts },
  refunds: { ttlMs: 15_000, gauges: ['refundsFailed'], read: readRefunds },
  exposure: { ttlMs: 15_000, gauges: ['advanced', 'outstanding', 'exposureLimit'], read: readExposure },
  access: { ttlMs: 15_000, gauges: ['commandLineChanges'], read: readAccess },
  sync: { ttlMs: 60_000, gauges: ['clientsAuthorised', 'clientsRead'], read: readSync },
  server: { ttlMs: 15_000, gauges: ['clockDifference', 'certificateEnd'], read: readServer },
};

/**
 * Returns the function that a scrape calls. Concurrent scrapes share one read, so at most one connection is used. A scrape doesn't wait longer
 * than its deadline: while all connections are in use, this process's own metrics are needed most.
 */
export function createDatabaseReader(deps: Deps, gauges: DatabaseGauges): () => Promise<void> {
  const { database, logger } = deps;
  const lastReadAt = new Map<string, number>();
  const unreadNames = new Set<string>();
  let reading: Promise<void> | undefined;
  const clearGauges = (group: Group | undefined): void => group?.gauges.forEach((gauge) => gauges[gauge].clear());
  const readGroup = async (name: string, group: Group): Promise<void> => {
    if (performance.now() - (lastReadAt.get(name) ?? -Infinity) < group.ttlMs) return;
    lastReadAt.set(name, performance.now());
    unreadNames.add(name);
    try {
      await database.db.transaction(
        async (tx) => {
          // The embedded engine runs in one thread and can't be interrupted.
          if (database.kind === 'postgres') await tx.execute(sql.raw(`set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`));
          await group.read(tx, gauges, deps);
        },
        { accessMode: 'read only' },
      );
    } catch (error) {
      clearGauges(group);
      gauges.failures.inc({ figures: name });
      logger.warn({ err: error, figures: name }, 'metrics: figures could not be read from the database');
    } finally {
      unreadNames.delete(name);
    }
  };
  const readAll = async (): Promise<void> => {
    for (const [name, group] of Object.entries(GROUPS)) await runAsSystem('metrics', () => readGroup(name, group));
  };
  for (const name of Object.keys(GROUPS)) gauges.failures.inc({ figures: name }, 0);
  return async () => {
    reading ??= readAll().finally(() => (reading = undefined));
    const deadline = new AbortController();
    await Promise.race([
      reading,
      setTimeout(SCRAPE_DEADLINE_MS, undefined, { signal: deadline.signal, ref: false }).catch(() => undefined),
    ]);
    deadline.abort();
    for (const name of unreadNames) clearGauges(GROUPS[name]);
  };
}

/**
 * pg-boss documents its job table for use by other programs (its manual, SQL). The first statement uses the same index as fetching jobs.
 */
async function readJobs(tx: Tx, gauges: DatabaseGauges): Promise<void> {
  type Row = { name: string; kind: string; count: number; seconds: number };
  const { rows } = await tx.execute<Row>(sql`
    select name, coalesce(data ->> 'kind', 'unknown') as kind, count(*)::int as count,
      extract(epoch from now() - min(greatest(created_on, start_after)))::float8 as seconds
    from pgboss.job where name in (${queueName}, ${urgentQueueName}, ${tickQueueName}, ${failedQueueName}) and state < 'active' and start_after <= now()
    group by 1, 2`);
  for (const gauge of ['jobsWaiting', 'jobsOldest', 'jobsFailed'] as const) gauges[gauge].clear();
  for (const { name, kind, count, seconds } of rows) {
    const labels = { kind: kind in jobTable ? kind : 'unknown' };
    if (name === failedQueueName) {
      gauges.jobsFailed.set(count, labels);
    } else {
      gauges.jobsWaiting.set(count, labels);
      gauges.jobsOldest.set(Math.max(seconds, 0), labels);
    }
  }
  const bookedJobs = await tx.execute<{ seconds: number }>(sql`
    select greatest(next_at_micros / 1000000.0 - extract(epoch from clock_timestamp()), 0)::float8 as seconds
    from provider_rate_limits where provider = 'hmrc'`);
  gauges.hmrcBooked.set(bookedJobs.rows[0]?.seconds ?? 0);
}

async function readPayouts(tx: Tx, gauges: DatabaseGauges, { clock }: Deps): Promise<void> {
  type Row = { status: string; count: number; unknown: number; seconds: number };
  const { rows } = await tx.execute<Row>(sql`
    select status, count(*)::int as count, (count(*) filter (where unknown_attempts > 0))::int as unknown,
      extract(epoch from ${clock.now()}::timestamptz - min(created_at))::float8 as seconds
    from payouts group by status`);
  const find = (state: string): Row | undefined => rows.find(({ status }) => status === state);
  for (const state of PAYOUT_STATUSES) gauges.payouts.set(find(state)?.count ?? 0, { state });
  for (const state of OPEN_STATUSES) gauges.payoutsOldest.set(Math.max(find(state)?.seconds ?? 0, 0), { state });
  gauges.payoutsUnknown.set(OPEN_STATUSES.reduce((sum, state) => sum + (find(state)?.unknown ?? 0), 0));
}

async function readRefunds(tx: Tx, gauges: DatabaseGauges): Promise<void> {
  const { rows } = await tx.execute<{ status: string; count: number }>(
    sql`select r.status, count(*)::int as count from invoice_refunds r where ${NEEDS_PERSON} group by r.status`,
  );
  for (const state of ['failed', 'refused', 'excess'])
    gauges.refundsFailed.set(rows.find(({ status }) => status === state)?.count ?? 0, { state });
}

async function readExposure(tx: Tx, gauges: DatabaseGauges, { clock }: Deps): Promise<void> {
  const { total } = await sumExposure(tx, undefined);
  const { totalExposureLimitPence } = await loadExposureLimits(tx, undefined, getAdvanceTerms(clock.today()));
  const { rows } = await tx.execute<{ advanced: string }>(sql`
    select coalesce(sum(p.amount_pence), 0)::text as advanced from advances a
    join payouts p on p.company_id = a.company_id and p.advance_id = a.id and p.status = 'executed'
    where ${inArray(sql`a.state`, [...EXPOSED_STATES])}`);
  gauges.outstanding.set(total);
  gauges.exposureLimit.set(totalExposureLimitPence);
  gauges.advanced.set(Number(rows[0]?.advanced ?? 0));
}

/** The command runs in a separate process, so only the audit trail records it. */
async function readAccess(tx: Tx, gauges: DatabaseGauges): Promise<void> {
  const { rows } = await tx.execute<{ count: number }>(
    sql`select count(*)::int as count from audit_entries where actor = ${COMMAND_LINE.by} and action like 'operator.%'`,
  );
  gauges.commandLineChanges.set(rows[0]?.count ?? 0);
}

async function readSync(tx: Tx, gauges: DatabaseGauges, { clock }: Deps): Promise<void> {
  const { rows } = await tx.execute<{ tax: string; authorised: number; read: number }>(sql`
    select a.tax, count(*)::int as authorised,
      (count(*) filter (where s.read_at > ${addMilliseconds(clock.now(), -DAY_MS)}::timestamptz))::int as read
    from client_authorisations a
    left join client_syncs s on s.company_id = a.company_id and s.client_id = a.client_id and s.tax = a.tax
    where a.status in ('authorised', 'expiring') group by a.tax`);
  for (const gauge of ['clientsAuthorised', 'clientsRead'] as const) gauges[gauge].clear();
  for (const { tax, authorised, read } of rows) {
    gauges.clientsAuthorised.set(authorised, { tax });
    gauges.clientsRead.set(read, { tax });
  }
}

async function readServer(tx: Tx, gauges: DatabaseGauges, { database, wallClock }: Deps): Promise<void> {
  const readSeconds = (): number => Date.parse(wallClock.now()) / 1000;
  const before = readSeconds();
  const { rows } = await tx.execute<{ seconds: number }>(sql`select extract(epoch from clock_timestamp())::float8 as seconds`);
  const here = (before + readSeconds()) / 2;
  gauges.clockDifference.set(here - (rows[0]?.seconds ?? here));
  const certificateEnd = database.findCertificateEnd();
  if (certificateEnd) gauges.certificateEnd.set(certificateEnd.getTime() / 1000);
}
