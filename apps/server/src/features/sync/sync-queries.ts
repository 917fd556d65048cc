/** How recent the figures of the clients that the user sees are. Counted from rows, so every instance gives the same answer. */
import type { Db } from '@portal/db/database.ts';
import { clientAuthorisations, clients, clientSyncs, hmrcConnections, practices, syncRuns } from '@portal/db/schema/schema.ts';
import type { Refreshing } from '@portal/contract/sync.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { isSyncReason, nextStep, SYNC_REASONS } from '@portal/domain/sync/sync-reasons.ts';
import { TAXES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { and, asc, count, desc, eq, isNotNull, isNull, max, min, sql, type SQL } from 'drizzle-orm';
import type { Actor } from '../../http/session.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';
import { hasTax } from './has-tax.ts';

const TAX_NAMES: Readonly<Record<Tax, string>> = { vat: 'VAT', paye: 'PAYE', ct: 'corporation tax', sa: 'Self Assessment' };

/** The reason with its texts for users. Null when there is no reason. */
function describeReason(code: string | null, willRetry = false): { code: string; sentence: string; next: string } | null {
  if (code === null) return null;
  if (!isSyncReason(code)) return { code, sentence: 'The refresh failed.', next: 'Refresh again.' };
  return { code, sentence: SYNC_REASONS[code].sentence, next: nextStep(code, willRetry) };
}

type ProgressCounts = { readonly total: number; readonly done: number; readonly failed: number; readonly waiting: number };

/**
 * "Refreshing VAT for 118 clients: 96 done, 3 failed, 19 queued" (docs/product/decisions.md section 5). Clients being read and clients that
 * wait for a retry count as queued; the text mentions retries separately.
 */
export function formatProgress(tax: Tax, { total, done, failed, waiting }: ProgressCounts): string {
  const [totalText, read, failedText, queued, waitingText] = [total, done, failed, total - done - failed, waiting].map((value) =>
    value.toLocaleString('en-GB'),
  );
  const base = `Refreshing ${TAX_NAMES[tax]} for ${totalText} ${total === 1 ? 'client' : 'clients'}: ${read} done, ${failedText} failed, ${queued} queued`;
  return waiting === 0 ? base : `${base} (${waitingText} will be retried)`;
}

/** The newest run for a tax, with counts of the clients that the user sees. */
export async function getRefreshStatus(db: Db, companyId: string, tax: Tax, actor: Actor): Promise<Refreshing> {
  const [run] = await db
    .select()
    .from(syncRuns)
    .where(and(eq(syncRuns.companyId, companyId), eq(syncRuns.tax, tax)))
    .orderBy(desc(syncRuns.startedAt))
    .limit(1);
  if (!run) return { tax_type: tax, is_refreshing: false, sentence: null, run: null };
  const counts = await countRun(db, actor, run);
  // A team member without clients in the run sees nothing of it.
  const isLive = run.endedAt === null && counts.total > 0;
  return {
    tax_type: tax,
    is_refreshing: isLive,
    sentence: isLive ? formatProgress(tax, counts) : null,
    run:
      counts.total === 0
        ? null
        : {
            run_id: run.id,
            state: run.state,
            started_at: run.startedAt,
            ended_at: run.endedAt,
            reason: describeReason(run.reason),
            counts,
          },
  };
}

/**
 * Counts the states of a run. While it is active only the queued count can fall, because a client that waits for a retry does not count as
 * failed. Clients that a cancelled run released (`endRun`) count as queued, whatever their state was before.
 */
async function countRun(db: Db, actor: Actor, run: typeof syncRuns.$inferSelect) {
  const [counts] = await db
    .select({
      total: count(),
      reading: sql<number>`(count(*) filter (where ${clientSyncs.state} = 'importing'))::int`,
      waiting: sql<number>`(count(*) filter (where ${clientSyncs.state} = 'failed' and ${clientSyncs.retryAt} is not null))::int`,
      done: sql<number>`(count(*) filter (where ${clientSyncs.state} = 'completed' and ${clientSyncs.readAt} >= ${run.startedAt}))::int`,
      failed: sql<number>`(count(*) filter (where ${clientSyncs.state} = 'failed' and ${clientSyncs.retryAt} is null
        and ${clientSyncs.attempts} > 0))::int`,
    })
    .from(clientSyncs)
    .where(
      and(
        eq(clientSyncs.companyId, run.companyId),
        eq(clientSyncs.tax, run.tax),
        eq(clientSyncs.runId, run.id),
        isVisibleTo(actor, clientSyncs.companyId, clientSyncs.clientId),
      ),
    );
  const { total, reading, waiting, done, failed } = counts ?? { total: 0, reading: 0, waiting: 0, done: 0, failed: 0 };
  return { total, queued: total - reading - done - failed, reading, waiting, done, failed };
}

type States = Record<'checking' | 'importing' | 'waiting' | 'completed' | 'failed', number>;

/** A failed reading with a retry due is "waiting". A failed reading without one is "failed". */
const displayState = sql<
  keyof States
>`case when ${clientSyncs.state} = 'failed' and ${clientSyncs.retryAt} is not null then 'waiting' else ${clientSyncs.state} end`;

async function countStates(db: Db, actor: Actor, condition: SQL | undefined): Promise<States> {
  const rows = await db
    .select({ state: displayState, clients: count() })
    .from(clientSyncs)
    .where(and(condition, isVisibleTo(actor, clientSyncs.companyId, clientSyncs.clientId)))
    .groupBy(sql`1`);
  const states: States = { checking: 0, importing: 0, waiting: 0, completed: 0, failed: 0 };
  for (const row of rows) states[row.state] = row.clients;
  return states;
}

/** Example clients for each reason. The list filter shows all of them. */
const MAX_EXAMPLES = 5;

export async function getSyncData(db: Db, companyId: string, tax: Tax, actor: Actor) {
  const isOfTax = and(eq(clientSyncs.companyId, companyId), eq(clientSyncs.tax, tax));
  const states = await countStates(db, actor, isOfTax);
  const [read] = await db
    .select({
      oldest: sql<Instant | null>`${min(clientSyncs.readAt)}`.mapWith(clientSyncs.readAt),
      newest: max(clientSyncs.readAt),
      read: count(clientSyncs.readAt),
    })
    .from(clientSyncs)
    .where(and(isOfTax, isVisibleTo(actor, clientSyncs.companyId, clientSyncs.clientId)));
  const [all] = await db
    .select({
      clients: count(),
      neverAsked: sql<number>`(count(*) filter (where ${tax === 'sa' ? isNull(clients.nino) : sql`false`}))::int`,
    })
    .from(clients)
    .where(
      and(
        eq(clients.companyId, companyId),
        hasTax(tax),
        sql`${clients.status} not in ('inactive', 'closed')`,
        isVisibleTo(actor, clients.companyId, clients.id),
      ),
    );
  const total = all?.clients ?? 0;
  return {
    tax_type: tax,
    clients: total,
    never_read: Math.max(total - (read?.read ?? 0), 0),
    states,
    failures: await listFailures(db, companyId, tax, actor),
    waits: await listRetries(db, companyId, tax, actor),
    never_asked: all?.neverAsked ?? 0,
    oldest_read_at: read?.oldest ?? null,
    newest_read_at: read?.newest ?? null,
    run: (await getRefreshStatus(db, companyId, tax, actor)).run,
  };
}

/** Clients that the user sees whose last reading failed, with or without a retry due. */
const isFailed = (companyId: string, tax: Tax, actor: Actor) =>
  and(
    eq(clientSyncs.companyId, companyId),
    eq(clientSyncs.tax, tax),
    eq(clientSyncs.state, 'failed'),
    isVisibleTo(actor, clientSyncs.companyId, clientSyncs.clientId),
  );

async function listFailures(db: Db, companyId: string, tax: Tax, actor: Actor) {
  const rows = await db
    .select({
      reason: clientSyncs.reason,
      clients: count(),
      examples: sql<
        { client_id: string; name: string }[]
      >`(jsonb_agg(jsonb_build_object('client_id', ${clients.id}, 'name', ${clients.name}) order by ${clients.name}))`,
    })
    .from(clientSyncs)
    .innerJoin(clients, and(eq(clients.companyId, clientSyncs.companyId), eq(clients.id, clientSyncs.clientId)))
    .where(and(isFailed(companyId, tax, actor), isNull(clientSyncs.retryAt)))
    .groupBy(clientSyncs.reason)
    .orderBy(desc(count()));
  return rows.flatMap((row) => {
    const description = describeReason(row.reason ?? 'unknown');
    return description ? [{ ...description, clients: row.clients, examples: row.examples.slice(0, MAX_EXAMPLES) }] : [];
  });
}

async function listRetries(db: Db, companyId: string, tax: Tax, actor: Actor) {
  const rows = await db
    .select({ reason: clientSyncs.reason, clients: count() })
    .from(clientSyncs)
    .where(and(isFailed(companyId, tax, actor), isNotNull(clientSyncs.retryAt)))
    .groupBy(clientSyncs.reason)
    .orderBy(desc(count()));
  return rows.flatMap((row) => {
    const description = describeReason(row.reason ?? 'unknown', true);
    return description ? [{ ...description, clients: row.clients }] : [];
  });
}

export async function getClientSyncData(db: Db, companyId: string, clientId: string) {
  const rows = await db
    .select()
    .from(clientSyncs)
    .where(and(eq(clientSyncs.companyId, companyId), eq(clientSyncs.clientId, clientId)));
  const [client] = await db
    .select({ vat: clients.hasVat, paye: clients.hasPaye, ct: clients.hasCt, sa: clients.hasSa })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), eq(clients.id, clientId)));
  const taxes = TAXES.filter((tax) => client?.[tax]);
  return {
    client_id: clientId,
    taxes: taxes.map((tax) => {
      const row = rows.find((sync) => sync.tax === tax);
      return {
        tax_type: tax,
        state: row?.state ?? null,
        // While a client is read again, the row still holds the reason of its last failure (sync-queue.ts).
        reason: row?.state === 'failed' ? describeReason(row.reason, row.retryAt !== null) : null,
        read_at: row?.readAt ?? null,
        retry_at: row?.retryAt ?? null,
      };
    }),
  };
}

async function getHmrcConnection(db: Db, companyId: string) {
  const [hmrcConnection] = await db.select().from(hmrcConnections).where(eq(hmrcConnections.companyId, companyId));
  const status = hmrcConnection?.status ?? 'not_connected';
  return {
    provider: 'hmrc' as const,
    status: status === 'postponed' ? ('not_connected' as const) : status,
    connected_at: hmrcConnection?.connectedAt ?? null,
    consent_ends_at: hmrcConnection?.consentEndsAt ?? null,
  };
}

export async function getConnectionStatus(db: Db, companyId: string, tax: Tax, actor: Actor) {
  const connection = await getHmrcConnection(db, companyId);
  const isReadFromHmrc = tax === 'vat' || tax === 'sa';
  const status = sql<string>`coalesce(${clientAuthorisations.status}, ${isReadFromHmrc ? 'not_started' : 'unsupported'})`;
  const authorisations = await db
    .select({ status, clients: count() })
    .from(clients)
    .leftJoin(
      clientAuthorisations,
      and(
        eq(clientAuthorisations.companyId, clients.companyId),
        eq(clientAuthorisations.clientId, clients.id),
        eq(clientAuthorisations.tax, tax),
      ),
    )
    .where(and(eq(clients.companyId, companyId), hasTax(tax), isVisibleTo(actor, clients.companyId, clients.id)))
    .groupBy(sql`1`)
    .orderBy(asc(sql`1`));
  return {
    tax_type: tax,
    source: isReadFromHmrc ? ('hmrc' as const) : ('statement' as const),
    connection,
    can_refresh: isReadFromHmrc && connection.status === 'connected',
    authorisations,
  };
}

export async function getAccountantConnections(db: Db, companyId: string) {
  const [practice] = await db.select({ arn: practices.arn }).from(practices).where(eq(practices.companyId, companyId));
  return { arn: practice?.arn ?? null, connections: [await getHmrcConnection(db, companyId)] };
}
