import type { Db } from '@portal/db/database.ts';
import { users } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { or, like } from 'drizzle-orm';
import type { StartSettings } from '../settings.ts';

/** The email domains of the sandbox people. The top-level domain .example is reserved (RFC 2606): no real person has such an address. */
export const SANDBOX_DOMAINS = ['brightwell.example', 'oakline.example', 'harlow.example', 'operator.example'];

/** The sandbox people's passwords are public, so they may not exist beside a real provider or where others can reach the portal. */
export async function refuseSandboxPeople(db: Db, { sandbox }: Pick<StartSettings, 'sandbox'>): Promise<void> {
  if (sandbox.mayBeSeeded) return;
  const [found] = await db
    .select({ email: users.email })
    .from(users)
    .where(or(...SANDBOX_DOMAINS.map((domain) => like(users.email, `%@${domain}`))))
    .limit(1);
  if (!found) return;
  const why = sandbox.isComplete ? 'this portal can be reached by others (HOST; SANDBOX_PUBLIC=1 allows it)' : 'a provider is real';
  const message = `The database holds the sandbox's people (${found.email}), whose passwords are public, and ${why}. Use another database.`;
  throw new AppError('conflict', 'sandbox.people', message);
}
