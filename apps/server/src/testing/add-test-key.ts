import { randomUUID } from 'node:crypto';
import { apiKeys } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import type { ApiScope } from '@portal/domain/developers/api-scopes.ts';
import { generateToken, hashToken } from '../http/session.ts';
import type { TestPortal } from './open-test-portal.ts';

type TestKey = { readonly companyId: string; readonly userId: string; readonly scopes: readonly ApiScope[]; readonly validForMs?: number };

/** Adds an API key directly to the database and returns it. */
export async function addTestKey(portal: TestPortal, { companyId, userId, scopes, validForMs = 86_400_000 }: TestKey): Promise<string> {
  const key = `ptl_test_${generateToken()}`;
  const now = portal.deps.wallClock.now();
  const row = { companyId, userId, scopes, id: randomUUID(), name: 'Test', keyHash: hashToken(key), hint: 'ptl_test_…' };
  await portal.deps.database.db.insert(apiKeys).values({ ...row, createdAt: now, expiresAt: addMilliseconds(now, validForMs) });
  return key;
}
