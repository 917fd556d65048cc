/** Tests that with another installation's keys, a portal neither starts nor passes the doctor, and that a key still in use is shown. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Database } from '@portal/db/database.ts';
import { hmrcConnections } from '@portal/db/schema/schema.ts';
import { openTestDatabase } from '@portal/db/testing/open-test-database.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listSealedValueChecks } from '../doctor/check-sealed-values.ts';
import { assertKeysOpenDatabase } from './sealed-values.ts';
import { createTokenCipher } from './token-cipher.ts';

const generateKey = (): string => randomBytes(32).toString('base64');
const [olderKey, newerKey, foreignKey] = [generateKey(), generateKey(), generateKey()];
const logLines: string[] = [];
const logger = pino({ level: 'error' }, { write: (line) => void logLines.push(line) });

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

async function connect(key: string): Promise<void> {
  const companyId = randomUUID();
  const { seal } = createTokenCipher([key]);
  await database.db.insert(hmrcConnections).values({
    companyId,
    status: 'connected',
    accessToken: seal('token', `hmrc_access_token:${companyId}`),
    refreshToken: seal('token', `hmrc_refresh_token:${companyId}`),
  });
}

const start = (...keys: string[]) => assertKeysOpenDatabase(database.db, createTokenCipher(keys), logger);
const [id, otherId] = [olderKey, newerKey].map((key) => createTokenCipher([key]).keyIds[0] ?? '');
async function examine(...keys: string[]): Promise<string> {
  const [check] = listSealedValueChecks(database, keys);
  return (await check?.run().catch((error: Error) => error.message)) ?? '';
}

describe('the keys of sealed values', () => {
  it('are needed to start, and the doctor says which is missing and which is still used', async () => {
    await start(foreignKey);
    await connect(olderKey);
    await expect(start(foreignKey)).rejects.toMatchObject({
      code: 'secrets.wrong_keys',
      message: expect.stringContaining(`${id} (seals 2 values)`),
    });
    expect(await examine(foreignKey)).toContain('doesn’t contain keys that seal values in this database');
    await start(olderKey);
    expect(await examine(newerKey, olderKey)).toBe(
      `decrypts the stored values: key 1 (${otherId}) seals 0 values, key 2 (${id}) seals 2 values`,
    );
    // Another portal has started to use a key that this one lacks. Values that this portal can decrypt still work.
    await connect(newerKey);
    expect(logLines).toEqual([]);
    await start(olderKey);
    expect(logLines).toEqual([expect.stringContaining(`${otherId} (seals 2 values)`)]);
    expect(await examine(olderKey)).toContain(`${otherId} (seals 2 values)`);
  });
});
