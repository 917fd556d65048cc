/** Tests with real processes and connections, and empty PostgreSQL databases. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../database.ts';
import { migrateDatabase, type MigrationOptions } from '../migrate-database.ts';
import type { Migration } from '../read-migrations.ts';
import { createTestPostgresDatabase } from '../testing/test-postgres.ts';
import { openPostgres } from './open-postgres.ts';

const migrateOnceScript = fileURLToPath(new URL('../testing/migrate-once.ts', import.meta.url));
const journalFile = new URL('../migrations/meta/_journal.json', import.meta.url);

describe('migrations', () => {
  it('run once when several processes start at the same time', async () => {
    const { url, drop } = await createTestPostgresDatabase('empty');
    await Promise.all([1, 2, 3].map(() => promisify(execFile)(process.execPath, [migrateOnceScript, url])));
    const database = await openPostgres({ url, poolSize: 1, role: 'owner' }, () => undefined);
    const { rows } = await database.executeSql(
      'select count(*) as many, count(distinct hash) as distinct from drizzle.__drizzle_migrations',
    );
    const journal: { entries: unknown[] } = JSON.parse(readFileSync(journalFile, 'utf8'));
    expect(rows).toEqual([{ many: journal.entries.length, distinct: journal.entries.length }]);
    await database.close();
    await drop();
  });
});

describe('a migration alongside other work', () => {
  let url: string;
  let drop: () => Promise<void>;
  let database: Database;
  let otherConnection: pg.Client;
  const lines: string[] = [];

  const toMigration = (name: string, statements: string[], isOutsideTransaction = false): Migration => {
    return { name, statements, hash: name, createdAt: 0, isOutsideTransaction };
  };
  const base = toMigration('base', ['create table notes (id int primary key, body text)']);
  const addColumnMigration = toMigration('column', ['alter table notes add column kind text']);
  const index = [`drop index concurrently if exists notes_body`, `create unique index concurrently notes_body on notes (body)`];
  const migrate = (migrations: Migration[], options: MigrationOptions = {}) =>
    migrateDatabase(database, { migrations: [base, ...migrations], report: (line) => lines.push(line), ...options });

  beforeEach(async () => {
    ({ url, drop } = await createTestPostgresDatabase('empty'));
    database = await openPostgres({ url, poolSize: 2, role: 'owner' }, () => undefined);
    otherConnection = new pg.Client({ connectionString: url });
    await otherConnection.connect();
    await migrate([]);
    lines.length = 0;
  });
  afterEach(async () => {
    await otherConnection.end();
    await database.close();
    await drop();
  });

  it('lets other statements continue while it waits for a lock, and is applied once it has the lock', async () => {
    await otherConnection.query('begin; select * from notes');
    const pendingMigration = migrate([addColumnMigration], { lockTimeoutMs: 50, lockAttempts: 10_000 });
    await expect.poll(() => lines.length).toBeGreaterThan(1);
    // The third connection is blocked for at most the lock timeout.
    await database.executeSql('select * from notes');
    await otherConnection.query('commit');
    expect(await pendingMigration).toEqual(['column']);
    expect(lines[0]).toMatch(/^waiting for a lock: column/);
    expect(lines.at(-1)).toBe('applied: column');
  });

  it('gives up after its attempts, names itself and changes nothing', async () => {
    await otherConnection.query('begin; select * from notes');
    const half = toMigration('half', ['create table halves (id int)', ...addColumnMigration.statements]);
    await expect(migrate([half], { lockTimeoutMs: 20, lockAttempts: 2 })).rejects.toThrow(/^Migration half failed.*lock timeout/);
    await otherConnection.query('commit');
    expect((await database.executeSql(`select to_regclass('halves') as found`)).rows).toEqual([{ found: null }]);
    expect(await migrate([addColumnMigration])).toEqual(['column']);
  });

  it('builds an index concurrently, again after a failed build, while a second migration waits', async () => {
    await otherConnection.query(`insert into notes values (1, 'same'), (2, 'same')`);
    const unique = toMigration('index', index, true);
    await expect(migrate([unique])).rejects.toThrow(/^Migration index failed.*notes_body/);
    await otherConnection.query('delete from notes where id = 2');
    const second = await openPostgres({ url, poolSize: 1, role: 'owner' }, () => undefined);
    const bothMigrations = await Promise.all([migrate([unique]), migrateDatabase(second, { migrations: [base, unique] })]);
    expect(bothMigrations.flat()).toEqual(['index']);
    const { rows } = await otherConnection.query(`select indisvalid from pg_index where indexrelid = 'notes_body'::regclass`);
    expect(rows).toEqual([{ indisvalid: true }]);
    await second.close();
  });

  it('repeats the steps after the migrations on every run', async () => {
    let runs = 0;
    const steps = [{ name: 'grants', run: async () => void (runs += 1) }];
    expect(await migrate([addColumnMigration], { steps })).toEqual(['column']);
    expect(await migrate([addColumnMigration], { steps })).toEqual([]);
    expect(runs).toBe(2);
  });

  it('ends a statement that takes too long', async () => {
    const shortTimeoutDatabase = await openPostgres({ url, poolSize: 1, statementTimeoutMs: 50, role: 'owner' }, () => undefined);
    const slow = toMigration('slow', ['select pg_sleep(60)']);
    await expect(migrateDatabase(shortTimeoutDatabase, { migrations: [base, slow] })).rejects.toThrow(
      /^Migration slow failed.*statement timeout/,
    );
    await shortTimeoutDatabase.close();
  });
});
