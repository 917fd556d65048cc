import { sql } from '../sql.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../database.ts';
import { companies } from '../schema/schema.ts';
import { openTestDatabase } from './open-test-database.ts';

let plainDatabase: Database;
let preparedDatabase: Database;
beforeAll(async () => {
  plainDatabase = await openTestDatabase();
  preparedDatabase = await openTestDatabase({ preparesStatements: true });
});
afterAll(async () => {
  await plainDatabase.close();
  await preparedDatabase.close();
});

const VALUES_QUERY = sql`select ${'text'}::text as text, ${7}::bigint as pence, ${null}::int as missing, ${true}::boolean as yes,
  ${JSON.stringify({ a: [1] })}::jsonb as json, ${sql.param(['x', 'y,z'])}::text[] as list, ${'2026-11-10T09:00:00.123456Z'}::timestamptz as at`;

it('statements that are planned once read and write the same values', async () => {
  const expected = await plainDatabase.db.execute(VALUES_QUERY);
  expect(expected.rows).toHaveLength(1);
  for (const _run of [1, 2]) expect((await preparedDatabase.db.execute(VALUES_QUERY)).rows).toEqual(expected.rows);
  const at = 'select $1::timestamptz as at, $2::int as number';
  const values = ['2026-11-10T09:00:00Z', 5];
  expect(await preparedDatabase.executeSql(at, values)).toMatchObject({ rows: (await plainDatabase.executeSql(at, values)).rows });
  expect(await preparedDatabase.db.select().from(companies)).toEqual([]);
});

it('a statement that fails can be run again, even after a savepoint', async () => {
  const divide = (tx: Pick<Database['db'], 'execute'>, divisor: number) =>
    tx.execute<{ result: number }>(sql`select 10 / ${divisor}::int as result`);
  await preparedDatabase.db.transaction(async (tx) => {
    await expect(tx.transaction((inner) => divide(inner, 0))).rejects.toMatchObject({ cause: { code: '22012' } });
    expect((await divide(tx, 5)).rows).toEqual([{ result: 2 }]);
  });
  await expect(divide(preparedDatabase.db, 0)).rejects.toMatchObject({ cause: { code: '22012' } });
  expect((await divide(preparedDatabase.db, 2)).rows).toEqual([{ result: 5 }]);
});

it('statements that are sent together get their own results', async () => {
  const multiply = (tx: Pick<Database['db'], 'execute'>, number: number) => tx.execute(sql`select 2 * ${number}::int as result`);
  await preparedDatabase.db.transaction(async (tx) => {
    for (const _run of [1, 2]) {
      const results = await Promise.all([1, 2, 3].map((number) => multiply(tx, number)));
      expect(results.map(({ rows }) => rows)).toEqual([[{ result: 2 }], [{ result: 4 }], [{ result: 6 }]]);
    }
  });
});
