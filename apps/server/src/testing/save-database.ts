/**
 * Restores a database to earlier content, so that every sequence can start with the same prepared trader instead of signing up a new one.
 */
import type { Database } from '@portal/db/database.ts';

type Table = { readonly name: string; readonly columns: string };

/** Vacuums after this many restores to reuse the space of deleted rows, which the embedded engine doesn't do automatically. */
const VACUUM_EVERY = 100;

/** Returns a function that restores the current rows of every table. Each save needs a unique name. */
export async function saveDatabase(database: Database, name: string): Promise<() => Promise<void>> {
  const tables = await listTables(database);
  const schema = `saved_${name}`;
  await database.executeSql(`create schema ${schema}`);
  for (const [index, table] of tables.entries()) await database.executeSql(`create table ${schema}.table_${index} as table ${table.name}`);
  const counts = await Promise.all(tables.map((_table, index) => countRows(database, `${schema}.table_${index}`)));
  const script = [
    'begin',
    // Foreign keys, and the triggers that protect the ledger and the audit trail from changes, don't apply to a restore.
    'set local session_replication_role = replica',
    ...tables.map((table) => `delete from ${table.name}`),
    ...tables.flatMap(({ name: table, columns }, index) =>
      counts[index] === 0
        ? []
        : [`insert into ${table} (${columns}) overriding system value select ${columns} from ${schema}.table_${index}`],
    ),
    'commit',
  ].join(';\n');
  let restores = 0;
  return async () => {
    await database.executeSql(script);
    restores += 1;
    if (restores % VACUUM_EVERY === 0) await database.executeSql('vacuum');
  };
}

/** Lists the product's tables and those of the job queue. */
async function listTables(database: Database): Promise<Table[]> {
  const { rows } = await database.executeSql(`
    select format('%I.%I', n.nspname, c.relname) as name,
      (select string_agg(format('%I', a.attname), ', ' order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and (n.nspname = 'public' or (n.nspname = 'pgboss' and c.relname like 'job%'))
    order by 1`);
  return rows as Table[];
}

async function countRows(database: Database, name: string): Promise<number> {
  const { rows } = await database.executeSql(`select count(*)::int as count from ${name}`);
  return (rows as { count: number }[])[0]?.count ?? 0;
}
