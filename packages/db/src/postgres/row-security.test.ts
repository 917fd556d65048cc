/** Tests the roles that the portal's statements run as, and the policies of every table (docs/decisions/0044). */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyAccess, listStatements } from '../access/apply-access.ts';
import { readTableAccess, type TableAccess } from '../access/read-access.ts';
import { RUNTIME_ROLE, SYSTEM_ROLE } from '../access/roles.ts';
import { getTenantColumn, TABLES_WITHOUT_TENANT } from '../access/tables-without-tenant.ts';
import type { Database } from '../database.ts';
import { companies, clients, practices } from '../schema/schema.ts';
import { sql } from '../sql.ts';
import { getSqlState } from '../sql-errors.ts';
import { createTestPostgresDatabase } from '../testing/test-postgres.ts';
import { runInScope, type TenantScope } from '../tenant-scope.ts';
import { openPostgres } from './open-postgres.ts';

const INSUFFICIENT_PRIVILEGE = '42501';
const [OWN_TENANT_ID, OTHER_TENANT_ID] = [randomUUID(), randomUUID()];
const OWN_SCOPE: TenantScope = { kind: 'tenant', tenantId: OWN_TENANT_ID, actorId: 'ann' };
const SYSTEM_SCOPE: TenantScope = { kind: 'system', actorId: 'sweep' };

let url: string;
let drop: () => Promise<void>;
let owner: Database;
let portal: Database;
let tables: readonly TableAccess[];

beforeAll(async () => {
  ({ url, drop } = await createTestPostgresDatabase('migrated'));
  owner = await openPostgres({ url, poolSize: 2, role: 'owner' }, () => undefined);
  portal = await openPostgres({ url, poolSize: 1 }, () => undefined);
  tables = await readTableAccess(owner);
  // Inserts a row for each tenant into every table with a policy, with arbitrary values of the right types, because policies don't depend
  // on constraints.
  await owner.executeSql(`do $$ declare item record; begin
    for item in select conrelid::regclass as name, conname from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace loop
      execute format('alter table %s drop constraint %I', item.name, item.conname);
    end loop; end $$`);
  await owner.executeSql(
    `begin; set local session_replication_role = replica; ${listTenantTables().map(createInsertStatement).join(';')}; commit`,
  );
});
afterAll(async () => {
  await portal.close();
  await owner.close();
  await drop();
});

const listTenantTables = (): TableAccess[] => tables.filter(({ name }) => !(name in TABLES_WITHOUT_TENANT));

/** Returns the statement that inserts both tenants' rows into a table. Every other required column gets a value of its type. */
function createInsertStatement({ name }: TableAccess): string {
  const column = getTenantColumn(name);
  return `do $$ declare names text; vals text; tenant uuid; begin
    foreach tenant in array array['${OWN_TENANT_ID}', '${OTHER_TENANT_ID}']::uuid[] loop
      select string_agg(quote_ident(attname), ', '), string_agg(case
          when attname = '${column}' then quote_literal(tenant)
          when t.typname = 'uuid' then 'gen_random_uuid()'
          when t.typname in ('text', 'varchar') then quote_literal(gen_random_uuid())
          when t.typname in ('int4', 'int8', 'int2', 'numeric', 'float4', 'float8') then '1'
          when t.typname = 'bool' then 'false'
          when t.typname in ('timestamptz', 'date') then 'now()'
          when t.typname = 'jsonb' then quote_literal('{}')
          when t.typname = 'bytea' then quote_literal('')
          else quote_literal('{}') end, ', ') into names, vals
        from pg_attribute a join pg_type t on t.oid = a.atttypid
        where attrelid = '${name}'::regclass and attnum > 0 and not attisdropped and (attnotnull or attname = '${column}') and attgenerated = '' and attidentity = '';
      execute format('insert into ${name} (%s) values (%s) on conflict do nothing', names, vals);
    end loop; end $$`;
}

async function listTenants(table: string, scope: TenantScope | undefined): Promise<unknown[]> {
  const read = async (): Promise<unknown[]> => {
    const { rows } = await portal.executeSql(`select distinct ${getTenantColumn(table)}::text as id from ${table} order by 1`);
    return rows.map((row) => (row as { id: string }).id);
  };
  return scope ? runInScope(scope, read) : read();
}

describe('a statement without its tenant’s condition', () => {
  it('finds rows of its own tenant only, in every table with a policy', async () => {
    expect(listTenantTables().length).toBeGreaterThan(60);
    for (const { name } of listTenantTables()) expect([name, await listTenants(name, OWN_SCOPE)]).toEqual([name, [OWN_TENANT_ID]]);
  });

  it('finds no row outside every scope', async () => {
    for (const { name } of listTenantTables()) expect([name, await listTenants(name, undefined)]).toEqual([name, []]);
  });

  it('finds every tenant’s rows in system work that gives a reason', async () => {
    for (const { name } of listTenantTables())
      expect([name, await listTenants(name, SYSTEM_SCOPE)]).toEqual([name, [OWN_TENANT_ID, OTHER_TENANT_ID].toSorted()]);
  });

  it('changes and deletes no other tenant’s rows', async () => {
    const changedRows: unknown[] = [];
    const undone = portal.db.transaction.bind(portal.db, async (tx) => {
      changedRows.push((await tx.update(companies).set({ name: 'Changed' }).returning({ id: companies.id })).map(({ id }) => id));
      changedRows.push((await tx.delete(practices).returning({ id: practices.companyId })).map(({ id }) => id));
      throw new Error('undo');
    });
    await expect(runInScope(OWN_SCOPE, () => undone())).rejects.toThrow('undo');
    expect(changedRows).toEqual([[OWN_TENANT_ID], [OWN_TENANT_ID]]);
  });

  it('can’t add a row to another tenant, or move one to it', async () => {
    const moveClients = () => portal.db.update(clients).set({ companyId: OTHER_TENANT_ID });
    await expectSqlState(runInScope(OWN_SCOPE, moveClients), INSUFFICIENT_PRIVILEGE);
    for (const { name } of listTenantTables()) {
      const insert = `insert into ${name} (${getTenantColumn(name)}) values ('${OTHER_TENANT_ID}')`;
      // Policies are checked before the constraints that this row also violates, apart from the not-null columns of partial rows.
      const state = await findSqlState(runInScope(OWN_SCOPE, () => portal.executeSql(insert)));
      expect([name, state]).toEqual([name, INSUFFICIENT_PRIVILEGE]);
    }
  });
});

describe('the runtime roles', () => {
  it('get a policy or a reason for every table, and no migration is left to do', () => {
    const names = tables.map(({ name }) => name);
    expect(Object.keys(TABLES_WITHOUT_TENANT).filter((name) => !names.includes(name))).toEqual([]);
    for (const table of tables) expect([table.name, listStatements(table)]).toEqual([table.name, []]);
  });

  it('a table without a tenant’s column and without a reason stops the migration', async () => {
    await owner.executeSql('create table forgotten (id uuid primary key)');
    await expect(applyAccess(owner)).rejects.toThrow(/The table forgotten has no company_id column/);
    await owner.executeSql('drop table forgotten');
  });

  it('a new table of a tenant gets its policy and privileges by the next migration', async () => {
    await owner.executeSql('create table added (company_id uuid primary key)');
    await applyAccess(owner);
    await owner.executeSql(`insert into added values ('${OWN_TENANT_ID}'), ('${OTHER_TENANT_ID}')`);
    expect(await listTenants('added', OWN_SCOPE)).toEqual([OWN_TENANT_ID]);
    await owner.executeSql('drop table added');
  });

  it.each(['audit_entries', 'ledger_postings', 'ledger_lines', 'found_returns', 'shortfall_events', 'shortfall_letters'])(
    'may only read and add to %s',
    async (table) => {
      expect(tables.find(({ name }) => name === table)?.privileges).toEqual({
        [RUNTIME_ROLE]: ['insert', 'select'],
        [SYSTEM_ROLE]: ['insert', 'select'],
      });
      for (const scope of [OWN_SCOPE, SYSTEM_SCOPE]) {
        for (const statement of [`update ${table} set company_id = company_id`, `delete from ${table}`])
          await expectSqlState(
            runInScope(scope, () => portal.executeSql(statement)),
            INSUFFICIENT_PRIVILEGE,
          );
      }
    },
  );

  it.each([
    'truncate clients',
    'drop table clients',
    'alter table audit_entries disable trigger audit_entries_append_only',
    'alter table clients disable row level security',
    'create table mine (id int)',
    'alter table clients owner to current_user',
    'delete from drizzle.__drizzle_migrations',
    'create function f() returns int language sql as $$ select 1 $$',
  ])('may not: %s', async (statement) => {
    for (const scope of [OWN_SCOPE, SYSTEM_SCOPE])
      await expectSqlState(
        runInScope(scope, () => portal.executeSql(statement)),
        INSUFFICIENT_PRIVILEGE,
      );
  });

  it('own nothing, can’t log in and bypass no policy', async () => {
    const { rows } = await owner.executeSql(`select rolname, rolcanlogin, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb,
      (select count(*)::int from pg_class where relowner = r.oid) as owned,
      pg_has_role('${RUNTIME_ROLE}', '${SYSTEM_ROLE}', 'member') as joined
      from pg_roles r where rolname in ('${RUNTIME_ROLE}', '${SYSTEM_ROLE}') order by 1`);
    const rights = {
      rolcanlogin: false,
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      owned: 0,
      joined: false,
    };
    expect(rows).toEqual([
      { rolname: RUNTIME_ROLE, ...rights },
      { rolname: SYSTEM_ROLE, ...rights },
    ]);
  });
});

describe('a connection', () => {
  const readSettings = async (): Promise<unknown> => {
    const { rows } = await portal.db.execute(sql`select current_user as role, current_setting('app.tenant_id') as tenant,
      current_setting('app.actor_id') as actor, pg_backend_pid() as pid`);
    return rows[0];
  };

  it('acts for its current user, regardless of what it did before', async () => {
    const otherScope: TenantScope = { kind: 'tenant', tenantId: OTHER_TENANT_ID, actorId: `o'brien` };
    expect(await runInScope(OWN_SCOPE, readSettings)).toMatchObject({ role: RUNTIME_ROLE, tenant: OWN_TENANT_ID, actor: 'ann' });
    expect(await runInScope(otherScope, readSettings)).toMatchObject({ role: RUNTIME_ROLE, tenant: OTHER_TENANT_ID, actor: `o'brien` });
    expect(await runInScope(SYSTEM_SCOPE, readSettings)).toMatchObject({ role: SYSTEM_ROLE, tenant: '', actor: 'sweep' });
    expect(await readSettings()).toMatchObject({ role: RUNTIME_ROLE, tenant: '', actor: '' });
  });

  it('that several callers wait for gets each caller’s scope, not that of the caller who released it', async () => {
    const scopes = Array.from({ length: 20 }, (_, index): TenantScope => ({ kind: 'tenant', tenantId: randomUUID(), actorId: `${index}` }));
    const settingsByScope = await Promise.all(scopes.map((scope) => runInScope(scope, readSettings)));
    expect(settingsByScope).toMatchObject(
      scopes.map((scope) => (scope.kind === 'tenant' ? { tenant: scope.tenantId, actor: scope.actorId } : {})),
    );
  });

  it('keeps its scope through a rollback and an error', async () => {
    await runInScope(OWN_SCOPE, async () => {
      const failingTransaction = portal.db.transaction(async (tx) => void (await tx.execute(sql`select 1 / 0`)));
      await expectSqlState(failingTransaction, '22012');
      expect(await readSettings()).toMatchObject({ tenant: OWN_TENANT_ID });
      await expectSqlState(portal.executeSql('select 1 / 0'), '22012');
      expect(await readSettings()).toMatchObject({ tenant: OWN_TENANT_ID });
    });
  });

  it('can’t change its scope within a transaction', async () => {
    const nested = runInScope(OWN_SCOPE, () => portal.db.transaction(async () => runInScope(SYSTEM_SCOPE, readSettings)));
    await expect(nested).rejects.toThrow('A transaction keeps its scope');
  });

  it('is rejected for a user who isn’t a member of the roles, with the command to run', async () => {
    const name = `outsider_${randomUUID().slice(0, 8)}`;
    await owner.executeSql(`create role ${name} login`);
    const address = new URL(url);
    address.username = name;
    const outsider = await openPostgres({ url: address.href, poolSize: 1 }, () => undefined);
    await expect(outsider.executeSql('select 1')).rejects.toThrow(/isn’t a member of them. Run `npm run migrate`/);
    await applyAccess(owner, { loginRole: name });
    expect((await outsider.executeSql('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await outsider.close();
    await owner.executeSql(`drop role ${name}`);
  });
});

describe('the client list under a policy', () => {
  beforeAll(async () => {
    await owner.executeSql(`begin; set local session_replication_role = replica;
      alter table client_rows alter column figures drop expression, alter column unread_taxes drop expression;
      insert into client_rows select (jsonb_populate_record(r, jsonb_build_object('client_id', gen_random_uuid(), 'search', md5(n::text)))).*
        from client_rows r, generate_series(1, 3000) n where company_id = '${OWN_TENANT_ID}';
      commit`);
    // Vacuum merges the index's pending entries, which would otherwise make it look expensive.
    await owner.executeSql('vacuum analyze client_rows');
  });

  async function explain(statement: string): Promise<string> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`set role ${RUNTIME_ROLE}; set app.tenant_id to '${OWN_TENANT_ID}'; set enable_seqscan to off`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${statement}`);
    await client.end();
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  it('uses the same index, and compares the tenant once per statement', async () => {
    const plan = await explain(`select * from client_rows where company_id = '${OWN_TENANT_ID}' order by next_due_on, client_id limit 50`);
    expect(plan).toMatch(/One-Time Filter: .*Index Scan using client_rows_next_due/s);
  });

  it('uses the trigram index to search by parts of names', async () => {
    const plan = await explain(`select * from searched_client_rows where company_id = '${OWN_TENANT_ID}' and search like '%joinery%'`);
    expect(plan).toMatch(/Bitmap Index Scan on client_rows_search\n\s+Index Cond: .*search ~~ '%joinery%'/);
  });

  it('searches the rows of its own tenant only', async () => {
    const read = async () => (await portal.executeSql('select distinct company_id::text as id from searched_client_rows')).rows;
    expect(await runInScope(OWN_SCOPE, read)).toEqual([{ id: OWN_TENANT_ID }]);
    expect(await read()).toEqual([]);
  });
});

async function findSqlState(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(() => undefined, getSqlState);
}

async function expectSqlState(work: Promise<unknown>, state: string): Promise<void> {
  expect(await findSqlState(work)).toBe(state);
}
