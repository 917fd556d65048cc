import type { Db } from '@portal/db/database.ts';
import { users } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { or, like } from 'drizzle-orm';
import type { Settings } from '../settings.ts';

// Product decisions, section 12. The reserved top-level domain .example belongs to nobody real.
const sandboxDomains = ['brightwell.example', 'oakline.example', 'harlow.example', 'operator.example'];

/** Everybody knows the passwords of the sandbox's people: they may not stand beside a real provider, nor where strangers come. */
export async function refuseSandboxPeople(db: Db, { sandbox }: Settings): Promise<void> {
  if (sandbox.mayHoldWorld) return;
  const [found] = await db
    .select({ email: users.email })
    .from(users)
    .where(or(...sandboxDomains.map((domain) => like(users.email, `%@${domain}`))))
    .limit(1);
  if (!found) return;
  const why = sandbox.isWhole ? 'this portal can be reached by others (HOST; SANDBOX_PUBLIC=1 allows it)' : 'a provider is real';
  const message = `The database holds the sandbox's people (${found.email}), whose passwords are public, and ${why}. Use another database.`;
  throw new AppError('conflict', 'sandbox.people', message);
}
