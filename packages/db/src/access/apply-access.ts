/**
 * Gives the runtime roles their privileges and every tenant's table its policies, derived from the catalogs so that new tables are always
 * included. A step of `npm run migrate`. It applies only differences, because changing a policy locks its table.
 */
import { createHash } from 'node:crypto';
import { AppError } from '@portal/domain/app-error.ts';
import type { Database, Tx } from '../database.ts';
import { runWithLocks, type LockOptions } from '../run-with-locks.ts';
import { sql } from '../sql.ts';
import { readTableAccess, type Privilege, type TableAccess } from './read-access.ts';
import { ANALYZE_FUNCTION, RUNTIME_ROLE, SYSTEM_ROLE } from './roles.ts';
import { OWNER_VIEWS } from './owner-views.ts';
import { CLIENT_TABLES, getTenantColumn, TABLES_WITHOUT_TENANT } from './tables-without-tenant.ts';

const ROLES = `${RUNTIME_ROLE}, ${SYSTEM_ROLE}`;

/** Evaluated once per statement, and constant for the planner (postgresql.org/docs/current/ddl-rowsecurity.html). */
const CURRENT_TENANT = `(select nullif(current_setting('app.tenant_id', true), '')::uuid)`;

/** In a request about a practice's client, that client. A client's books and returns are a separate tenant (docs/decisions/0060). */
const CURRENT_TAXPAYER = `(select coalesce(nullif(current_setting('app.client_id', true), ''), nullif(current_setting('app.tenant_id', true), ''))::uuid)`;

export type AccessOptions = LockOptions & {
  /** The database user that becomes a member of the roles: the one in DATABASE_URL. Defaults to the database's owner. */
  readonly loginRole?: string | undefined;
};

export async function applyAccess(database: Database, { loginRole, ...options }: AccessOptions = {}): Promise<void> {
  await createRoles(database, loginRole);
  await database.executeSql(SCHEMA_PRIVILEGES_SQL);
  const tables = await readTableAccess(database);
  for (const table of tables) {
    const statements = listStatements(table);
    if (statements.length === 0) continue;
    const change = async (tx: Tx): Promise<void> => {
      for (const statement of statements) await tx.execute(sql.raw(statement));
    };
    await runWithLocks(database.db, `policies of ${table.name}`, change, options);
  }
  await replaceViews(database, tables);
  await database.executeSql(FUNCTIONS_SQL);
}

/** Returns the statements that `npm run migrate` has to run, or an empty list if the database is up to date. */
export function listStatements(table: TableAccess): string[] {
  return [...listPolicyStatements(table), ...listPrivilegeStatements(table)];
}

function listPolicyStatements({ name, columns, isSecured, policies }: TableAccess): string[] {
  if (name in TABLES_WITHOUT_TENANT) return [];
  const column = getTenantColumn(name);
  if (!columns.includes(column)) {
    throw new AppError(
      'bug',
      'database.table_without_tenant',
      `The table ${name} has no ${column} column. Add it (CONTRIBUTING.md, “A migration”), or add the table to tables-without-tenant.ts with a reason.`,
    );
  }
  const tenantCondition = `${column} = ${CLIENT_TABLES.has(name) ? CURRENT_TAXPAYER : CURRENT_TENANT}`;
  const requiredPrivileges = [
    { role: RUNTIME_ROLE, clauses: `using (${tenantCondition}) with check (${tenantCondition})` },
    { role: SYSTEM_ROLE, clauses: 'using (true) with check (true)' },
  ].map(({ role, clauses }) => ({ name: `${role}_${hash(clauses)}`, sql: `to ${role} ${clauses}` }));
  if (
    isSecured &&
    policies.join() ===
      requiredPrivileges
        .map((policy) => policy.name)
        .toSorted()
        .join()
  )
    return [];
  return [
    ...policies.map((policy) => `drop policy "${policy}" on "${name}"`),
    ...requiredPrivileges.map((policy) => `create policy "${policy.name}" on "${name}" ${policy.sql}`),
    `alter table "${name}" enable row level security`,
  ];
}

/** Returns a hash for the policy's name, so that a changed policy gets a new name and outdated ones can be recognised. */
function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

function listPrivilegeStatements({ name, refused, privileges }: TableAccess): string[] {
  const requiredPrivileges = listPrivileges(refused);
  const isCurrent = [RUNTIME_ROLE, SYSTEM_ROLE].every(
    (role) => privileges[role as keyof typeof privileges].join() === requiredPrivileges.join(),
  );
  return isCurrent ? [] : [`revoke all on "${name}" from ${ROLES}`, `grant ${requiredPrivileges.join(', ')} on "${name}" to ${ROLES}`];
}

/** Omits the changes that triggers reject: the table's owner can disable a trigger, and `truncate` doesn't fire triggers. */
function listPrivileges(refusedPrivileges: readonly Privilege[]): Privilege[] {
  return (['delete', 'insert', 'select', 'update'] as const).filter((privilege) => !refusedPrivileges.includes(privilege));
}

/**
 * Handles concurrent creation, because roles belong to the whole server and another database's migration may create them at the same
 * moment.
 */
async function createRoles({ executeSql }: Database, loginRole: string | undefined): Promise<void> {
  for (const role of [RUNTIME_ROLE, SYSTEM_ROLE]) {
    try {
      await executeSql(`do $$ begin
        if not exists (select from pg_roles where rolname = '${role}') then
          create role ${role} nologin;
        end if;
      exception when duplicate_object or unique_violation then null; end $$`);
    } catch (error) {
      throw new AppError(
        'conflict',
        'database.roles_missing',
        `The role ${role} is missing, and the user in MIGRATION_DATABASE_URL isn’t allowed to create it. Ask a server administrator to run: create role ${RUNTIME_ROLE} nologin; create role ${SYSTEM_ROLE} nologin; grant ${ROLES} to the user in DATABASE_URL. Then run this again.`,
        undefined,
        error,
      );
    }
  }
  const { rows } = await executeSql(
    `select rolname as name, pg_has_role(oid, '${RUNTIME_ROLE}', 'member') and pg_has_role(oid, '${SYSTEM_ROLE}', 'member') as "isMember"
     from pg_roles where rolname = coalesce($1, current_user)`,
    [loginRole ?? null],
  );
  const [login] = rows as { name: string; isMember: boolean }[];
  if (!login) {
    throw new AppError(
      'conflict',
      'database.login_missing',
      `PostgreSQL has no user ${loginRole}, which DATABASE_URL names. Create it (create role ${loginRole} login noinherit password '…'), then run this again.`,
    );
  }
  if (!login.isMember) await executeSql(`grant ${ROLES} to "${login.name.replaceAll('"', '""')}"`);
}

/** pg-boss creates its tables after this step and in its updates, so their privileges are set as defaults. */
const SCHEMA_PRIVILEGES_SQL = `
  create schema if not exists pgboss;
  revoke create on schema public from public;
  grant usage on schema public, drizzle, pgboss to ${ROLES};
  grant select on all tables in schema drizzle to ${ROLES};
  grant usage on all sequences in schema public to ${ROLES};
  grant select, insert, update, delete on all tables in schema pgboss to ${ROLES};
  grant usage on all sequences in schema pgboss to ${ROLES};
  alter default privileges in schema pgboss grant select, insert, update, delete on tables to ${ROLES};
  alter default privileges in schema pgboss grant usage on sequences to ${ROLES}`;

const FUNCTIONS_SQL = `
  create or replace function ${ANALYZE_FUNCTION}(name regclass) returns void language plpgsql security definer
    set search_path = pg_catalog, pg_temp as $$ begin execute format('analyze (skip_locked) %s', name); end $$;
  revoke all on function ${ANALYZE_FUNCTION} from public;
  grant execute on function ${ANALYZE_FUNCTION} to ${ROLES};
  revoke all on function erase_company, erase_person_audit from public, ${RUNTIME_ROLE};
  grant execute on function erase_company, erase_person_audit to ${SYSTEM_ROLE}`;

/**
 * Lets a search by part of a name use its index. Under a policy, PostgreSQL would compare all of the tenant's rows, because an error from
 * `like` could reveal another tenant's data (postgresql.org/docs/current/rules-privileges.html). So the view itself contains the tenant
 * condition.
 */
async function replaceViews({ executeSql }: Database, tables: readonly TableAccess[]): Promise<void> {
  const columns = tables.find(({ name }) => name === 'client_rows')?.columns ?? [];
  const { rows } = await executeSql(`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v'`);
  const unknownView = (rows as { name: string }[]).find(({ name }) => !(name in OWNER_VIEWS));
  if (unknownView)
    throw new AppError('bug', 'database.view_without_reason', `Add the view ${unknownView.name} to owner-views.ts with a reason.`);
  const views = Object.keys(OWNER_VIEWS).join(', ');
  await executeSql(`
    create or replace view searched_client_rows as
      select ${columns.map((column) => `"${column}"`).join(', ')} from client_rows where company_id = ${CURRENT_TENANT};
    revoke all on ${views} from ${ROLES};
    grant select on ${views} to ${ROLES}`);
}
