/** Saves which connections a practice pays for. Triggers count them (decision 55). */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { pricingApi } from '@portal/contract/pricing.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientAuthorisations, clientRows, connectionCountChanges, selectedConnections } from '@portal/db/schema/schema.ts';
import { and, eq, sql, type SQL } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { getFilterCondition, type ConnectionFilter } from './connection-queries.ts';
import { getConnectionsSql } from './connections-sql.ts';
import { countSelectedConnections } from './practice-prices.ts';

type SelectCall = Call<typeof pricingApi.select>;

export function selectConnections(
  { database, clock }: AppDeps,
  { tenant, input, actor, caller }: SelectCall,
): Promise<EndpointOutput<typeof pricingApi.select>> {
  const { practiceId: companyId } = tenant;
  const at = clock.now();
  return database.db.transaction(async (tx) => {
    const countAtStart = await countSelectedConnections(tx, companyId);
    await (input.selected ? select(tx, companyId, input, at) : deselectConnections(tx, companyId, input));
    await summariseChanges(tx, companyId);
    const connections = await countSelectedConnections(tx, companyId);
    await recordAudit(tx, {
      companyId,
      at,
      actor: actor.userId,
      action: 'pricing.connections_selected',
      subject: companyId,
      before: { connections: countAtStart },
      after: { connections },
      ip: caller.ip,
    });
    return { no_selected_connections: connections };
  });
}

type NamedConnections = SelectCall['input']['connections'];
type ConnectionSelection = ConnectionFilter & { readonly connections?: NamedConnections };

async function select(
  tx: Tx,
  companyId: string,
  { connections: namedConnections, ...filter }: ConnectionSelection,
  at: string,
): Promise<void> {
  // A transaction that ends a link would miss our uncommitted row. With these locks, one of the two transactions waits for the other.
  for (const table of [clientRows, clientAuthorisations]) {
    await tx
      .select({ clientId: table.clientId })
      .from(table)
      .where(
        and(
          eq(table.companyId, companyId),
          namedConnections && sql`(${table.clientId}) in (select client_id from (${getNamedConnectionsSql(namedConnections)}) n)`,
        ),
      )
      .orderBy(table.clientId)
      .for('share');
  }
  const isNamed = namedConnections
    ? sql`(c.client_id, c.tax) in (${getNamedConnectionsSql(namedConnections)})`
    : getFilterCondition(filter);
  const chosenConnections = sql`select c.company_id, c.client_id, c.tax from (${getConnectionsSql(companyId)}) c where c.linked and ${isNamed}`;
  if (namedConnections) await assertConnectionsLinked(tx, namedConnections, chosenConnections);
  await tx.execute(sql`insert into ${selectedConnections} (company_id, client_id, tax, linked, selected_at)
    select company_id, client_id, tax, true, ${at}::timestamptz from (${chosenConnections}) chosen on conflict do nothing`);
}

async function assertConnectionsLinked(tx: Tx, namedConnections: NonNullable<NamedConnections>, chosenConnections: SQL): Promise<void> {
  const { rows } = (await tx.execute(sql`select count(*)::int as linked from (${chosenConnections}) chosen`)) as unknown as {
    rows: { linked: number }[];
  };
  const expectedCount = new Set(namedConnections.map(({ client_id: id, tax }) => `${id} ${tax}`)).size;
  const missingCount = expectedCount - (rows[0]?.linked ?? 0);
  if (missingCount > 0) {
    throw new AppError(
      'impossible',
      'pricing.not_linked',
      `${missingCount} of these connections ${missingCount === 1 ? 'isn’t' : 'aren’t'} linked, so nothing was selected. Refresh the list and choose again.`,
    );
  }
}

async function deselectConnections(
  tx: Tx,
  companyId: string,
  { connections: namedConnections, ...filter }: ConnectionSelection,
): Promise<void> {
  const key = sql`(${selectedConnections.clientId}, ${selectedConnections.tax})`;
  const isFiltered = (filter.q ?? '') !== '' || filter.tax !== undefined;
  const matchingConnections = sql`select c.client_id, c.tax from (${getConnectionsSql(companyId)}) c where ${getFilterCondition(filter)}`;
  const isNamed = namedConnections
    ? sql`${key} in (${getNamedConnectionsSql(namedConnections)})`
    : isFiltered
      ? sql`${key} in (${matchingConnections})`
      : undefined;
  await tx.delete(selectedConnections).where(and(eq(selectedConnections.companyId, companyId), isNamed));
}

/**
 * Replaces the changes visible to this statement with their sum. Changes from a concurrent transaction are kept and summed up next time.
 */
async function summariseChanges(tx: Tx, companyId: string): Promise<void> {
  await tx.execute(sql`with gone as (delete from ${connectionCountChanges} where company_id = ${companyId} returning connections)
    insert into ${connectionCountChanges} (company_id, id, connections)
    select ${companyId}::uuid, gen_random_uuid(), sum(connections) from gone having sum(connections) <> 0`);
}

function getNamedConnectionsSql(namedConnections: NonNullable<NamedConnections>): SQL {
  return sql`select client_id, tax from jsonb_to_recordset(${JSON.stringify(namedConnections)}::jsonb) as named(client_id uuid, tax text)`;
}
