import { authenticators, operators, users } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Seed } from './seed-schema.ts';

/**
 * Creates the sandbox's operators, with authenticator apps whose secrets the README lists. Does nothing for existing operators, because
 * someone may have changed their roles or factors.
 */
export async function setUpOperators(deps: AppDeps, people: Seed['people']): Promise<void> {
  const at = deps.clock.now();
  for (const { email, operator } of people) {
    if (operator === null) continue;
    await deps.database.db.transaction(async (tx) => {
      const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email));
      if (!user) return;
      const addedOperators = await tx
        .insert(operators)
        .values({ userId: user.id, roles: operator.roles, invitedAt: at, enrolledAt: at })
        .onConflictDoNothing()
        .returning({ userId: operators.userId });
      if (addedOperators.length === 0) return;
      const secret = deps.tokenCipher.seal(operator.authenticator_secret, `authenticator:${user.id}`);
      await tx.insert(authenticators).values({ userId: user.id, secret, confirmedAt: at, createdAt: at }).onConflictDoNothing();
    });
  }
}
