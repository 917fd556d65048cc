import type { Db } from '@portal/db/database.ts';
import { users } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { or, like } from '@portal/db/sql.ts';
import type { StartSettings } from '../settings.ts';

/**
 * The email domains of the sandbox accounts. The top-level domain .example is reserved (RFC 2606), so real users can't have such an
 * address.
 */
export const SANDBOX_DOMAINS = ['brightwell.example', 'oakline.example', 'harlow.example', 'operator.example'];

/** The sandbox accounts' passwords are public, so these accounts must not exist alongside a real provider. */
export async function rejectSandboxPeople(db: Db, { sandbox }: Pick<StartSettings, 'sandbox'>): Promise<void> {
  if (sandbox.isComplete) return;
  const [sandboxUser] = await db
    .select({ email: users.email })
    .from(users)
    .where(or(...SANDBOX_DOMAINS.map((domain) => like(users.email, `%@${domain}`))))
    .limit(1);
  if (!sandboxUser) return;
  const message = `The database contains sandbox accounts (${sandboxUser.email}), whose passwords are public, but not every provider is simulated. Use another database.`;
  throw new AppError('conflict', 'sandbox.people', message);
}

/** An operator with such an address would keep every portal from starting again. */
export function rejectSandboxAddress(email: string, { sandbox }: Pick<StartSettings, 'sandbox'>): void {
  if (sandbox.isComplete || !SANDBOX_DOMAINS.some((domain) => email.toLowerCase().endsWith(`@${domain}`))) return;
  const message = `${email} is like the sandbox’s accounts, whose passwords are public, so no portal with a real provider would start again. Use another address.`;
  throw new AppError('conflict', 'sandbox.people', message);
}
