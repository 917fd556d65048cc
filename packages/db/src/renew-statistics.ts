/**
 * What PostgreSQL's own daemon does once a minute and the embedded engine, which has no daemon, never: tells the planner how large tables have become.
 * Unasked it takes a table that was filled just now for an empty one, and reads it whole for each row of another: the totals of 10,000 clients then take
 * 42 seconds instead of a tenth of one.
 */
import type { Database } from './database.ts';

/** A table is looked at again when it has grown by so much, and by so many pages of 8 kB. */
const GROWN_TIMES = 1.2;
const GROWN_PAGES = 8;

type Grown = { readonly name: string };

/** Answers the tables that had grown. On the embedded engine room of deleted rows is given back as well. Not inside a transaction. */
export async function renewStatistics({ kind, executeSql }: Pick<Database, 'kind' | 'executeSql'>): Promise<readonly string[]> {
  const { rows } = await executeSql(`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'pgboss') and c.relkind = 'r'
      and pg_relation_size(c.oid) / current_setting('block_size')::int > c.relpages * ${GROWN_TIMES} + ${GROWN_PAGES}`);
  const grown = (rows as Grown[]).map(({ name }) => name);
  // One statement each, so that nobody waits for the whole of it.
  for (const name of grown) await executeSql(kind === 'embedded' ? `vacuum (analyze) ${name}` : `analyze (skip_locked) ${name}`);
  return grown;
}
