/** Uses real processes and one empty PostgreSQL database. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createTestPostgresDatabase } from '../testing/test-postgres.ts';
import { openPostgres } from './open-postgres.ts';

const migrateOnce = fileURLToPath(new URL('../testing/migrate-once.ts', import.meta.url));
const journalFile = new URL('../migrations/meta/_journal.json', import.meta.url);

describe('migrations', () => {
  it('run once when several processes start at the same time', async () => {
    const { url, drop } = await createTestPostgresDatabase('empty');
    await Promise.all([1, 2, 3].map(() => promisify(execFile)(process.execPath, [migrateOnce, url])));
    const database = await openPostgres({ url, poolSize: 1 }, () => undefined);
    const { rows } = await database.executeSql(
      'select count(*) as many, count(distinct hash) as distinct from drizzle.__drizzle_migrations',
    );
    const journal: { entries: unknown[] } = JSON.parse(readFileSync(journalFile, 'utf8'));
    expect(rows).toEqual([{ many: journal.entries.length, distinct: journal.entries.length }]);
    await database.close();
    await drop();
  });
});
