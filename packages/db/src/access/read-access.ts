/** Reads each table's access from the database's catalogs: columns, triggers, policies, and the roles' privileges. */
import type { Database } from '../database.ts';
import { RUNTIME_ROLE, SYSTEM_ROLE } from './roles.ts';

export type Privilege = 'select' | 'insert' | 'update' | 'delete' | 'truncate' | 'references' | 'trigger';

export type TableAccess = {
  readonly name: string;
  readonly columns: readonly string[];
  /** Changes that a trigger of the table rejects for every row and column. Only the owner can erase the values of audit entries. */
  readonly refused: readonly Privilege[];
  readonly isSecured: boolean;
  readonly policies: readonly string[];
  /** The privileges of each role, ordered by name. */
  readonly privileges: Readonly<Record<typeof RUNTIME_ROLE | typeof SYSTEM_ROLE, readonly Privilege[]>>;
};

/** Reads the access of every table. The roles must exist. */
export async function readTableAccess({ executeSql }: Pick<Database, 'executeSql'>): Promise<TableAccess[]> {
  const buildPrivileges = (role: string): string => `'${role}', coalesce((select jsonb_agg(p order by p) from
    unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) as p
    where has_table_privilege('${role}', c.oid, p)), '[]')`;
  // The bits of tgtype are row 1, before 2, delete 8 and update 16 (postgresql.org, pg_trigger.h).
  const { rows } = await executeSql(`
    select c.relname as name, c.relrowsecurity as "isSecured",
      (select jsonb_agg(attname order by attnum) from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns,
      coalesce((select jsonb_agg(polname order by polname) from pg_policy where polrelid = c.oid), '[]') as policies,
      coalesce((select jsonb_agg(distinct change) from pg_trigger t
        join pg_proc p on p.oid = t.tgfoid and p.proname in ('refuse_change', 'refuse_audit_change')
        cross join (values ('update', 16), ('delete', 8)) as changes (change, bit)
        where t.tgrelid = c.oid and t.tgtype & 3 = 3 and t.tgtype & bit = bit and t.tgattr = ''), '[]') as refused,
      jsonb_build_object(${buildPrivileges(RUNTIME_ROLE)}, ${buildPrivileges(SYSTEM_ROLE)}) as privileges
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by c.relname`);
  return rows as TableAccess[];
}
