/** Queries for imported statements and their rows. */
import type { StatementOutcome } from '@portal/domain/tax-statements/statement-states.ts';
import type { TaxStatement, TaxStatementRow } from '@portal/contract/tax-statements.ts';
import type { Db } from '@portal/db/database.ts';
import { clientRows, clients, taxStatementClients, taxStatementRows, taxStatements, users } from '@portal/db/schema/schema.ts';
import type { StatementTax } from '@portal/domain/tax-statements/statement-columns.ts';
import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, ne, or, sql, type SQL } from '@portal/db/sql.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { getRowsExpiry } from '../retention/row-retention.ts';
import { matchesStatement, type StatementKey } from './statement-key.ts';

const MAX_LISTED = 100;

type StatementRecord = typeof taxStatements.$inferSelect;

/** Lists statements, newest first. */
export function listStatements(db: Db, companyId: string, tax?: StatementTax): Promise<TaxStatement[]> {
  return selectStatements(db, and(eq(taxStatements.companyId, companyId), tax === undefined ? undefined : eq(taxStatements.tax, tax)));
}

export async function getStatement(db: Db, key: StatementKey): Promise<TaxStatement> {
  const [foundStatement] = await selectStatements(db, matchesStatement(key));
  if (!foundStatement) throw createNotFoundError();
  return foundStatement;
}

async function selectStatements(db: Db, condition: SQL | undefined): Promise<TaxStatement[]> {
  const rows = await db
    .select({ record: taxStatements, importedBy: users.fullName })
    .from(taxStatements)
    .innerJoin(users, eq(users.id, taxStatements.importedBy))
    .where(condition)
    .orderBy(desc(taxStatements.importedAt), desc(taxStatements.id))
    .limit(MAX_LISTED);
  const counts = await countClients(
    db,
    rows.map(({ record }) => record),
  );
  return rows.map(({ record, importedBy }) => ({
    statement_id: record.id,
    tax_type: record.tax,
    file_name: record.fileName,
    imported_by: importedBy,
    imported_at: record.importedAt,
    state: record.state,
    rows: record.rows,
    rows_done: record.rowsDone,
    refused: record.rowsRejected,
    ...toClientCounts(record, counts.get(record.id)),
    ended_at: record.endedAt,
    reason: record.reason,
    rows_until: getRowsExpiry(record.endedAt, record.rowsRemovedAt),
  }));
}

type ClientCounts = { readonly listed: number; readonly updated: number; readonly listedUpdated: number };

/** Counts the clients of statements as the client list does, without those removed since. */
async function countClients(db: Db, records: readonly StatementRecord[]): Promise<ReadonlyMap<string, ClientCounts>> {
  const [first] = records;
  if (first === undefined) return new Map();
  const { companyId, statementId, clientId, outcome } = taxStatementClients;
  const isUpdated = sql`${outcome} = 'taken'`;
  const rows = await db
    .select({
      statementId,
      listed: count(clientRows.clientId),
      updated: sql`count(*) filter (where ${isUpdated})`.mapWith(Number),
      listedUpdated: sql`count(${clientRows.clientId}) filter (where ${isUpdated})`.mapWith(Number),
    })
    .from(taxStatementClients)
    .leftJoin(clientRows, and(eq(clientRows.companyId, companyId), eq(clientRows.clientId, clientId)))
    .where(
      and(
        eq(companyId, first.companyId),
        inArray(
          statementId,
          records.map(({ id }) => id),
        ),
      ),
    )
    .groupBy(statementId);
  return new Map(rows.map((row) => [row.statementId, row]));
}

function toClientCounts(
  { clientsImported, rowsRemovedAt }: StatementRecord,
  { listed, updated, listedUpdated }: ClientCounts = { listed: 0, updated: 0, listedUpdated: 0 },
): Pick<TaxStatement, 'clients' | 'clients_taken' | 'clients_removed'> {
  // Earlier versions deleted the clients of a statement together with its rows.
  const isForgotten = rowsRemovedAt !== null && updated < clientsImported;
  return { clients: listed, clients_taken: listedUpdated, clients_removed: isForgotten ? null : updated - listedUpdated };
}

const OUTCOME_CONDITIONS: Readonly<Record<StatementOutcome, SQL | undefined>> = {
  refused: isNotNull(taxStatementRows.problem),
  taken: and(isNull(taxStatementRows.problem), eq(taxStatementClients.outcome, 'taken')),
  waiting: and(isNull(taxStatementRows.problem), or(isNull(taxStatementClients.outcome), ne(taxStatementClients.outcome, 'taken'))),
};

/** Lists rows in the order of the file. */
export async function listStatementRows(
  db: Db,
  key: StatementKey,
  { after, limit, outcome }: { readonly after: number; readonly limit: number; readonly outcome?: StatementOutcome | undefined },
): Promise<{ rows: TaxStatementRow[]; next_after: number | null }> {
  await getStatement(db, key);
  const { companyId, statementId, row, clientId, field, problem } = taxStatementRows;
  const foundRows = await db
    .select({
      row,
      outcome: sql<StatementOutcome>`case when ${OUTCOME_CONDITIONS.refused} then 'refused' when ${OUTCOME_CONDITIONS.taken} then 'taken' else 'waiting' end`,
      client_id: clientId,
      client_name: clients.name,
      field,
      problem,
    })
    .from(taxStatementRows)
    .leftJoin(
      taxStatementClients,
      and(
        eq(taxStatementClients.companyId, companyId),
        eq(taxStatementClients.statementId, statementId),
        eq(taxStatementClients.clientId, clientId),
      ),
    )
    .leftJoin(clients, and(eq(clients.companyId, companyId), eq(clients.id, clientId)))
    .where(
      and(
        eq(companyId, key.companyId),
        eq(statementId, key.statementId),
        gt(row, after),
        outcome === undefined ? undefined : OUTCOME_CONDITIONS[outcome],
      ),
    )
    .orderBy(asc(row))
    .limit(limit + 1);
  const rows = foundRows.slice(0, limit);
  return { rows, next_after: foundRows.length > limit ? (rows.at(-1)?.row ?? null) : null };
}
