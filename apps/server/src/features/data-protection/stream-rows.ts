/** Reads any table page by page in the order of its primary key, so that a large table takes little memory and no lock. */
import type { Db } from '@portal/db/database.ts';
import { and, sql, type SQL } from '@portal/db/sql.ts';
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';

export type DataRow = Readonly<Record<string, unknown>>;

export type TableRead = { readonly table: PgTable; readonly columns: readonly PgColumn[]; readonly where: SQL | undefined };

const PAGE_SIZE = 500;

/** Returns rows under the columns' names in the database. */
export async function* streamRows(db: Db, { table, columns, where }: TableRead): AsyncGenerator<DataRow> {
  const key = getPrimaryKey(table);
  const keyNames = key.map((_, index) => `key_${index}`);
  const fields = Object.fromEntries([
    ...columns.map((column) => [column.name, column] as const),
    ...key.map((column, index) => [keyNames[index], column] as const),
  ]);
  for (let afterKey: readonly unknown[] | undefined; ;) {
    const isNext = afterKey && sql`(${sql.join([...key], sql`, `)}) > (${sql.join(toParameters(key, afterKey), sql`, `)})`;
    const page: Record<string, unknown>[] = await db
      .select(fields)
      .from(table)
      .where(and(where, isNext))
      .orderBy(...key)
      .limit(PAGE_SIZE);
    for (const row of page) yield Object.fromEntries(columns.map(({ name }) => [name, row[name]]));
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_SIZE) return;
    afterKey = keyNames.map((name) => last[name]);
  }
}

const toParameters = (key: readonly PgColumn[], values: readonly unknown[]): SQL[] =>
  key.map((column, index) => sql`${sql.param(values[index], column)}`);

function getPrimaryKey(table: PgTable): readonly PgColumn[] {
  const { primaryKeys, columns } = getTableConfig(table);
  const [composite] = primaryKeys;
  return composite ? composite.columns : columns.filter(({ primary }) => primary);
}
