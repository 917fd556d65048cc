/** Returns the tables of a download, each of which is read only when it is reached. */
import type { Db } from '@portal/db/database.ts';
import { CLIENT_TABLES, getTenantColumn } from '@portal/db/access/tables-without-tenant.ts';
import { closedAccounts, formerMemberships, memberships, users } from '@portal/db/schema/schema.ts';
import * as schema from '@portal/db/schema/schema.ts';
import { and, asc, eq, inArray, sql } from '@portal/db/sql.ts';
import { getTableConfig, PgTable, type PgColumn } from 'drizzle-orm/pg-core';
import { runAsSystem } from '../../run-as-system.ts';
import { COMPANY_DATA, NOT_IN_COMPANY_COLUMNS } from './company-data.ts';
import { PERSON_DATA } from './person-data.ts';
import { streamRows, type DataRow } from './stream-rows.ts';
import type { DataSet } from './write-data-zip.ts';

/** Excludes entries about our staff's notes, requests to each other and checks, whose tables COMPANY_DATA omits. */
const IS_NOT_OPERATOR_ACTION = sql`split_part(${schema.auditEntries.action}, '.', 1) not in ('approval', 'exposure_limit', 'note', 'screening') and ${schema.auditEntries.action} <> 'company.screened'`;

const TABLES: ReadonlyMap<string, PgTable> = new Map(
  Object.values(schema).flatMap((table) => (table instanceof PgTable ? [[getTableConfig(table).name, table] as const] : [])),
);

export function listPersonSets(db: Db, userId: string): DataSet[] {
  return PERSON_DATA.map(({ title, fileName, table, columns, where }) => {
    const name = fileName ?? getTableConfig(table).name;
    return { name, title, rows: streamRows(db, { table, columns, where: where(userId) }) };
  });
}

export function listCompanySets(db: Db, companyId: string): DataSet[] {
  const tables = Object.entries(COMPANY_DATA).map(([name, title]): DataSet => {
    const table = TABLES.get(name);
    if (!table) throw new Error(`There is no table ${name}.`);
    const columns = listColumns(table);
    const ownRows = streamRows(db, { table, columns, where: isOfTenant(table, companyId, name) });
    return { name, title, rows: CLIENT_TABLES.has(name) ? readWithClients(db, ownRows, { table, columns, companyId }) : ownRows };
  });
  return [{ name: 'people', title: 'People who work or worked here', rows: readPeople(db, companyId) }, ...tables];
}

/**
 * A practice's clients are tenants of their own books and returns. The practice's request may not see all of them together, so these rows
 * are read as the system, for exactly its clients.
 */
async function* readWithClients(
  db: Db,
  ownRows: AsyncGenerator<DataRow>,
  { table, columns, companyId }: { table: PgTable; columns: PgColumn[]; companyId: string },
): AsyncGenerator<DataRow> {
  yield* ownRows;
  const column = columns.find(({ name }) => name === 'company_id');
  const clients = db.select({ id: schema.clients.id }).from(schema.clients).where(eq(schema.clients.companyId, companyId));
  const rows = streamRows(db, { table, columns, where: column && inArray(column, clients) });
  for (;;) {
    const next = await runAsSystem('practice download', () => rows.next());
    if (next.done === true) return;
    yield next.value;
  }
}

function listColumns(table: PgTable): PgColumn[] {
  const { name, columns } = getTableConfig(table);
  return columns.filter((column) => !(column.name in (NOT_IN_COMPANY_COLUMNS[name] ?? {})));
}

function isOfTenant(table: PgTable, companyId: string, name: string) {
  const column = getTableConfig(table).columns.find((column) => column.name === getTenantColumn(name));
  if (!column) throw new Error(`The table ${name} has no tenant’s column.`);
  // A view that isn't shared belongs to its author.
  if (name === 'saved_views') return sql`${column} = ${companyId} and ${schema.savedViews.isShared}`;
  return and(eq(column, companyId), name === 'audit_entries' ? IS_NOT_OPERATOR_ACTION : undefined);
}

/** Practice members know each other's names and work email addresses. */
async function* readPeople(db: Db, companyId: string): AsyncGenerator<DataRow> {
  const userColumns = { user_id: users.id, full_name: users.fullName };
  const currentMembers = await db
    .select({ ...userColumns, email: users.email, role: memberships.role, joined_at: memberships.createdAt })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(memberships.companyId, companyId))
    .orderBy(asc(users.email));
  for (const row of currentMembers) yield { ...row, ended_at: null };
  const formerMembers = await db
    .select({
      ...userColumns,
      email: users.email,
      isClosed: closedAccounts.userId,
      role: formerMemberships.role,
      joined_at: formerMemberships.joinedAt,
      ended_at: formerMemberships.endedAt,
    })
    .from(formerMemberships)
    .innerJoin(users, eq(users.id, formerMemberships.userId))
    .leftJoin(closedAccounts, eq(closedAccounts.userId, formerMemberships.userId))
    .where(eq(formerMemberships.companyId, companyId))
    .orderBy(asc(formerMemberships.endedAt));
  for (const { isClosed, email, ...row } of formerMembers) yield { ...row, email: isClosed === null ? email : null };
}
