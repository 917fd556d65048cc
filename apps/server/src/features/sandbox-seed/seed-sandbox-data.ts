/**
 * Creates the sandbox's users and companies once, in an empty database. Then sets up its trader and its practice the way their owners
 * would.
 */
import { randomUUID } from 'node:crypto';
import { companies, memberships, users } from '@portal/db/schema/schema.ts';
import type { AppDeps } from '../../app-deps.ts';
import { hashPassword } from '../identity/passwords.ts';
import { seedSchema, type Seed } from './seed-schema.ts';
import { setUpOperators } from './set-up-operators.ts';
import { setUpPractice } from './set-up-practice.ts';
import { setUpPricing } from './set-up-pricing.ts';
import { setUpTrader } from './set-up-trader.ts';

/**
 * `seedOutput` comes from the sandbox and hasn't been validated. Existing users are left unchanged; if seeding was killed halfway, the next
 * start completes it.
 */
export async function seedSandboxData(deps: AppDeps, seedOutput: unknown): Promise<void> {
  const seed = seedSchema.parse(seedOutput);
  await createUsers(deps, seed);
  await setUpOperators(deps, seed.people);
  await setUpTrader(deps, seed.trader);
  await setUpPractice(deps, seed.practice);
  await setUpPricing(deps, seed.pricing);
}

async function createUsers(deps: AppDeps, seed: Seed): Promise<void> {
  const { db } = deps.database;
  const [existing] = await db.select({ id: users.id }).from(users).limit(1);
  if (existing) return;
  const passwordHash = await hashPassword(seed.password);
  const createdAt = deps.clock.now();
  const companyIds = new Map(seed.companies.map(({ name }) => [name, randomUUID()]));
  await db.transaction(async (tx) => {
    const rows = seed.companies.map(({ kind, name, company_number, vrn }) => ({
      id: companyIds.get(name) ?? randomUUID(),
      kind,
      name,
      companyNumber: company_number,
      vrn,
      createdAt,
    }));
    await tx.insert(companies).values(rows);
    for (const { email, full_name: fullName, membership } of seed.people) {
      const userId = randomUUID();
      await tx.insert(users).values({ id: userId, email, fullName, passwordHash, createdAt });
      const companyId = membership === null ? undefined : companyIds.get(membership.company);
      if (membership !== null && companyId !== undefined) {
        await tx.insert(memberships).values({ companyId, userId, role: membership.role, groups: membership.groups, createdAt });
      }
    }
  });
}
