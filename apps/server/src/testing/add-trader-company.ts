import { randomUUID } from 'node:crypto';
import { companies, memberships, users } from '@portal/db/schema/schema.ts';
import type { TestPortal } from './open-test-portal.ts';

/** Adds a trader's company with its owner, without returns or connections. */
export async function addTraderCompany(portal: TestPortal): Promise<{ companyId: string; userId: string }> {
  const { db } = portal.deps.database;
  const createdAt = portal.deps.clock.now();
  const [companyId, userId] = [randomUUID(), randomUUID()];
  await db.insert(companies).values({ id: companyId, kind: 'trader', name: 'Harbour Bakery Ltd', createdAt });
  await db.insert(users).values({ id: userId, email: `${userId}@harbour.example`, fullName: 'Harriet Harbour', createdAt });
  await db.insert(memberships).values({ companyId, userId, role: 'trader_owner', createdAt });
  return { companyId, userId };
}
