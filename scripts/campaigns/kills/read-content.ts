/** Reads a database's schema, object by object, and its tables' row counts, to compare two databases that should be the same. */
import type { Database } from '@portal/db/database.ts';

/** Definitions, keyed by object name. */
export type DatabaseContent = ReadonlyMap<string, string>;

const OWN_SCHEMAS = `('public', 'drizzle', 'pgboss', 'access')`;

const OBJECTS_SQL = `
  select 'column ' || table_schema || '.' || table_name || '.' || column_name as name,
    concat_ws(' ', data_type, is_nullable, column_default) as definition
  from information_schema.columns where table_schema in ${OWN_SCHEMAS}
  union all select 'index ' || i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid) || case when i.indisvalid then '' else ' INVALID' end
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace where n.nspname in ${OWN_SCHEMAS}
  union all select 'constraint ' || c.conrelid::regclass::text || '.' || c.conname,
    pg_get_constraintdef(c.oid) || case when c.convalidated then '' else ' NOT VALID' end
  from pg_constraint c join pg_namespace n on n.oid = c.connamespace where n.nspname in ${OWN_SCHEMAS} and c.conrelid <> 0
  union all select 'trigger ' || t.tgrelid::regclass::text || '.' || t.tgname, pg_get_triggerdef(t.oid)
  from pg_trigger t where not t.tgisinternal
  union all select 'function ' || p.oid::regprocedure::text, md5(pg_get_functiondef(p.oid))
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname in ${OWN_SCHEMAS} and p.prokind = 'f'
  union all select 'view ' || schemaname || '.' || viewname, definition from pg_views where schemaname in ${OWN_SCHEMAS}
  union all select 'policy ' || tablename || '.' || policyname, concat_ws(' ', roles::text, cmd, qual, with_check)
  from pg_policies where schemaname in ${OWN_SCHEMAS}
  union all select 'row security ' || c.oid::regclass::text, c.relrowsecurity::text || c.relforcerowsecurity::text
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname in ${OWN_SCHEMAS} and c.relkind = 'r'
  union all select 'privileges of ' || table_schema || '.' || table_name || ' for ' || grantee, string_agg(privilege_type, ' ' order by privilege_type)
  from information_schema.role_table_grants where table_schema in ${OWN_SCHEMAS} group by table_schema, table_name, grantee`;

/**
 * Tables that only migrations and the seed fill. The embedded engine migrates in a portal that starts, whose jobs fill the others at once:
 * their rows depend on timing.
 */
const SEEDED_TABLES = /^(?:drizzle\.|public\.(?:users|companies|memberships|operators|practices|clients|bank_accounts|price_lists)$)/;

type ContentOptions = { readonly haveJobsRun: boolean };

export async function readContent(database: Database, { haveJobsRun }: ContentOptions): Promise<DatabaseContent> {
  const content = new Map<string, string>();
  const { rows } = await database.executeSql(OBJECTS_SQL);
  for (const { name, definition } of rows as { name: string; definition: string }[]) content.set(name, definition);
  const tables = (
    await database.executeSql(
      `select schemaname || '.' || tablename as name from pg_tables where schemaname in ('public', 'drizzle') order by 1`,
    )
  ).rows as { name: string }[];
  for (const { name } of tables) {
    if (haveJobsRun && !SEEDED_TABLES.test(name)) continue;
    const countedRows = await database.executeSql(`select count(*)::int as rows from ${name}`);
    content.set(`rows of ${name}`, String((countedRows.rows as { rows: number }[])[0]?.rows));
  }
  return content;
}

/** Returns one sentence for each object that is missing, unexpected or different. */
export function describeDifferences(expected: DatabaseContent, foundContent: DatabaseContent): string[] {
  const names = new Set([...expected.keys(), ...foundContent.keys()]);
  return [...names].flatMap((name) => {
    const [before, after] = [expected.get(name), foundContent.get(name)];
    return before === after ? [] : [`${name} is ${after ?? 'missing'} instead of ${before ?? 'missing'}`];
  });
}
