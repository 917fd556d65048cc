/** Determines how recent the figures of the clients that the user sees are. Counted from rows, so that every instance reports the same. */
import type { Db } from '@portal/db/database.ts';
import { clients, clientSyncs, hmrcConnections, practices, taxPositions } from '@portal/db/schema/schema.ts';
import type { Authorisation } from '@portal/domain/authorisations/describe-authorisation.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { TAXES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { and, asc, count, desc, eq, isNotNull, isNull, max, min, sql, type SQL } from '@portal/db/sql.ts';
import { getAuthorisationStatusSql } from '../authorisations/authorisation-status-sql.ts';
import type { Actor } from '../../http/session.ts';
import { IS_AUTHORISATION_REASON } from './run-conditions.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';
import { hasTax } from './has-tax.ts';
import { describeReason, getRefreshStatus, type SyncClocks } from './refresh-progress.ts';

type SyncStateCounts = Record<'checking' | 'importing' | 'waiting' | 'completed' | 'failed', number>;

/** A failed reading is "waiting" if a retry is due, and "failed" otherwise. */
const displayStateSql = sql<
  keyof SyncStateCounts
>`case when ${clientSyncs.state} = 'failed' and ${clientSyncs.retryAt} is not null then 'waiting' else ${clientSyncs.state} end`;

const IS_CLIENT_OF_SYNC = and(eq(clients.companyId, clientSyncs.companyId), eq(clients.id, clientSyncs.clientId));

async function countStates(db: Db, condition: SQL | undefined): Promise<SyncStateCounts> {
  const rows = await db
    .select({ state: displayStateSql, clients: count() })
    .from(clientSyncs)
    .innerJoin(clients, IS_CLIENT_OF_SYNC)
    .where(condition)
    .groupBy(sql`1`);
  const states: SyncStateCounts = { checking: 0, importing: 0, waiting: 0, completed: 0, failed: 0 };
  for (const row of rows) states[row.state] = row.clients;
  return states;
}

/** Example clients per reason. The list filter shows all of them. */
const MAX_EXAMPLES = 5;

export async function getSyncData(deps: SyncClocks, companyId: string, tax: Tax, actor: Actor) {
  const { db } = deps.database;
  // A client that is archived, or no longer has the tax, keeps its last reading.
  const isCurrent = and(eq(clientSyncs.companyId, companyId), eq(clientSyncs.tax, tax), isCurrentWithTax(companyId, tax, actor));
  const states = await countStates(db, isCurrent);
  const [read] = await db
    .select({
      oldest: sql<Instant | null>`${min(clientSyncs.readAt)}`.mapWith(clientSyncs.readAt),
      newest: max(clientSyncs.readAt),
    })
    .from(clientSyncs)
    .innerJoin(clients, IS_CLIENT_OF_SYNC)
    .where(isCurrent);
  const [totalCounts] = await db
    .select({
      clients: count(),
      neverAsked: sql<number>`(count(*) filter (where ${tax === 'sa' ? isNull(clients.nino) : sql`false`}))::int`,
      neverRead: sql<number>`(count(*) filter (where ${isNull(taxPositions.asOf)}))::int`,
    })
    .from(clients)
    .leftJoin(
      taxPositions,
      and(eq(taxPositions.companyId, clients.companyId), eq(taxPositions.clientId, clients.id), eq(taxPositions.tax, tax)),
    )
    .where(isCurrentWithTax(companyId, tax, actor));
  const total = totalCounts?.clients ?? 0;
  return {
    tax_type: tax,
    clients: total,
    never_read: totalCounts?.neverRead ?? 0,
    states,
    failures: await listFailures(db, companyId, tax, actor),
    waits: await listRetries(db, companyId, tax, actor),
    never_asked: totalCounts?.neverAsked ?? 0,
    authorisations: await countAuthorisations(deps, companyId, tax, actor),
    oldest_read_at: read?.oldest ?? null,
    newest_read_at: read?.newest ?? null,
    run: (await getRefreshStatus(deps, companyId, tax, actor)).run,
  };
}

/** Matches the clients that a refresh of the tax covers: current clients that the user can see. */
function isCurrentWithTax(companyId: string, tax: Tax, actor: Actor): SQL | undefined {
  return and(
    eq(clients.companyId, companyId),
    hasTax(tax),
    sql`${clients.status} not in ('inactive', 'closed')`,
    isVisibleTo(actor, clients.companyId, clients.id),
  );
}

/** Counts current clients with the tax by authorisation status. The list filters find the same clients. */
async function countAuthorisations({ database: { db }, clock }: SyncClocks, companyId: string, tax: Tax, actor: Actor) {
  const status =
    tax === 'vat' || tax === 'sa'
      ? getAuthorisationStatusSql(sql`${clients.companyId}`, sql`${clients.id}`, tax, sql`${clock.today()}::date`)
      : sql<string>`'unsupported'`;
  const rows = await db
    .select({ status: sql<Authorisation>`${status}`, clients: count() })
    .from(clients)
    .where(isCurrentWithTax(companyId, tax, actor))
    .groupBy(sql`1`)
    .orderBy(asc(sql`1`));
  return rows;
}

/**
 * Returns a condition for current clients with the tax that the user can see and whose last reading failed, with or without a retry due.
 * Needs `clients` joined.
 */
const isFailed = (companyId: string, tax: Tax, actor: Actor) =>
  and(
    eq(clientSyncs.companyId, companyId),
    eq(clientSyncs.tax, tax),
    eq(clientSyncs.state, 'failed'),
    isCurrentWithTax(companyId, tax, actor),
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
    .where(and(isFailed(companyId, tax, actor), isNull(clientSyncs.retryAt), sql`not ${IS_AUTHORISATION_REASON}`))
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
    .innerJoin(clients, and(eq(clients.companyId, clientSyncs.companyId), eq(clients.id, clientSyncs.clientId)))
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
        // While a client is being read again, its row still contains the reason for its last failure (sync-queue.ts).
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

export async function getConnectionStatus(deps: SyncClocks, companyId: string, tax: Tax, actor: Actor) {
  const connection = await getHmrcConnection(deps.database.db, companyId);
  const isReadFromHmrc = tax === 'vat' || tax === 'sa';
  return {
    tax_type: tax,
    source: isReadFromHmrc ? ('hmrc' as const) : ('statement' as const),
    connection,
    can_refresh: isReadFromHmrc && connection.status === 'connected',
    authorisations: await countAuthorisations(deps, companyId, tax, actor),
  };
}

export async function getAccountantConnections(db: Db, companyId: string) {
  const [practice] = await db.select({ arn: practices.arn }).from(practices).where(eq(practices.companyId, companyId));
  return { arn: practice?.arn ?? null, connections: [await getHmrcConnection(db, companyId)] };
}
