/**
 * Tests the dropped-connections campaign's proxy in front of a real server. `npm run campaign -- dropped-connections` runs thousands of
 * sequences.
 */
import { createTestPostgresDatabase } from '@portal/db/testing/test-postgres.ts';
import { openPostgres } from '@portal/db/postgres/open-postgres.ts';
import type { Database } from '@portal/db/database.ts';
import { sql } from '@portal/db/sql.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCommitProxy, type CommitProxy } from './commit-proxy.ts';

let proxy: CommitProxy;
let database: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  const createdDatabase = await createTestPostgresDatabase('empty');
  drop = createdDatabase.drop;
  const { host, pathname } = new URL(createdDatabase.url);
  // Uses a port, because a proxy can't be placed in front of the test server's socket.
  proxy = await openCommitProxy(`postgres://portal@${host}${pathname}`);
  database = await openPostgres({ url: proxy.url, poolSize: 2, role: 'owner' }, () => undefined);
  await database.executeSql('create table notes (body text)');
});
afterAll(async () => {
  await database.close();
  proxy.close();
  await drop();
});

const write = (body: string) => database.db.transaction((tx) => tx.execute(sql`insert into notes values (${body})`));

it.each([
  ['before_commit', []],
  ['after_commit', [{ body: 'after_commit' }]],
] as const)('a connection that is cut %s fails, and leaves what the server had committed', async (moment, stored) => {
  proxy.dropAt(moment, 1);
  await write('undisturbed');
  await expect(write(moment)).rejects.toThrow(/Failed query: (rollback|commit)|Connection terminated/);
  // The server may still be processing the commit from the connection that was cut.
  await expect.poll(async () => (await database.executeSql(`select body from notes where body = '${moment}'`)).rows).toEqual(stored);
  expect(proxy.cutCounts[moment]).toBe(1);
});
