import { sql } from './sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from './database.ts';
import { migrateDatabase } from './migrate-database.ts';
import { isUniqueViolation, getSqlState } from './sql-errors.ts';
import { openTestDatabase } from './testing/open-test-database.ts';
import { afterCommit } from './transaction-scope.ts';

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase();
  await database.db.execute(sql`create table notes (id int primary key, body text, at timestamptz, pence bigint)`);
});
afterAll(() => database.close());

describe('a database on either engine', () => {
  it('returns int8 and counts as numbers, and timestamps as UTC text with microseconds', async () => {
    const { rows } = await database.db.execute(
      sql`select 9007199254740991::bigint as most, count(*) as many, '2026-11-21 09:14:00.123456+01'::timestamptz as at, '2026-11-21'::date as day from notes`,
    );
    expect(rows).toEqual([{ most: 9007199254740991, many: 0, at: '2026-11-21 08:14:00.123456+00', day: '2026-11-21' }]);
  });

  it('counts the rows that a statement changed', async () => {
    await database.db.execute(sql`insert into notes (id) values (1), (2)`);
    expect((await database.db.execute(sql`update notes set body = 'x'`)).rowCount).toBe(2);
    expect((await database.db.execute(sql`delete from notes`)).rowCount).toBe(2);
  });

  it('rolls back a failed transaction and reports SQLSTATE and constraint', async () => {
    const failed = await database.db
      .transaction(async (tx) => {
        await tx.execute(sql`insert into notes (id) values (7)`);
        await tx.execute(sql`insert into notes (id) values (7)`);
      })
      .catch((error: unknown) => error);
    expect(getSqlState(failed)).toBe('23505');
    expect(isUniqueViolation(failed, 'notes_pkey')).toBe(true);
    expect(isUniqueViolation(failed, 'another')).toBe(false);
    expect(await countNotes()).toBe(0);
  });

  it('rolls back only the nested transaction', async () => {
    await database.db.transaction(async (tx) => {
      await tx.execute(sql`insert into notes (id) values (1)`);
      await tx.transaction((inner) => inner.execute(sql`insert into notes (id) values (1)`)).catch(() => undefined);
      await tx.execute(sql`insert into notes (id) values (2)`);
    });
    expect(await countNotes()).toBe(2);
    await database.db.execute(sql`delete from notes`);
  });

  it('rejects a transaction in which a failed statement was ignored', async () => {
    const swallowingTransaction = database.db.transaction(async (tx) => {
      await tx.execute(sql`insert into notes (id) values (1)`);
      await tx.execute(sql`select 1 / 0`).catch(() => undefined);
    });
    await expect(swallowingTransaction).rejects.toSatisfy((error) => /was rolled back/.test(getInnermostMessage(error)));
    expect(await countNotes()).toBe(0);
  });

  it('rejects the outer database inside a transaction instead of waiting forever', async () => {
    const failingTransaction = database.db.transaction(() => database.db.execute(sql`select 1`));
    await expect(failingTransaction).rejects.toSatisfy((error) => /pass `tx` to/.test(getInnermostMessage(error)));
    await expect(database.db.transaction(() => database.db.transaction(async () => 1))).rejects.toThrow(/pass `tx` to/);
  });

  it('isolates concurrent transactions', async () => {
    await database.db.execute(sql`insert into notes (id, pence) values (1, 0)`);
    const add = () => database.db.transaction((tx) => tx.execute(sql`update notes set pence = pence + 1 where id = 1`));
    await Promise.all(Array.from({ length: 20 }, add));
    const { rows } = await database.db.execute(sql`select pence from notes`);
    expect(rows).toEqual([{ pence: 20 }]);
    await database.db.execute(sql`delete from notes`);
  });

  it('calls back after the commit and never after a rollback', async () => {
    const seenStatements: string[] = [];
    await database.db.transaction(async () => {
      afterCommit(() => seenStatements.push('committed'));
      expect(seenStatements).toEqual([]);
    });
    const failingTransaction = database.db.transaction(async () => {
      afterCommit(() => seenStatements.push('rolled back'));
      throw new Error('no');
    });
    await expect(failingTransaction).rejects.toThrow('no');
    expect(seenStatements).toEqual(['committed']);
  });

  it('runs a script of several statements and leaves no transaction open on failure', async () => {
    await expect(database.executeSql('begin; select 1 / 0; commit')).rejects.toThrow(/division by zero/);
    const { rows } = await database.executeSql('select now() as at');
    expect(rows).toEqual([{ at: expect.any(Date) }]);
  });

  it('does nothing when migrated a second time', async () => {
    const count = sql`select count(*) as many from drizzle.__drizzle_migrations`;
    const { rows: before } = await database.db.execute(count);
    await migrateDatabase(database);
    expect((await database.db.execute(count)).rows).toEqual(before);
  });
});

async function countNotes(): Promise<unknown> {
  const { rows } = await database.db.execute<{ many: number }>(sql`select count(*) as many from notes`);
  return rows[0]?.many;
}

/** Returns the innermost error's message, because Drizzle wraps the driver's errors. */
function getInnermostMessage(error: unknown): string {
  return error instanceof Error ? (error.cause instanceof Error ? getInnermostMessage(error.cause) : error.message) : String(error);
}
