/** What still logs a person in after their password was changed, so that they notice a method that someone else added. */
import type { Tx } from '@portal/db/database.ts';
import { identities, passkeys } from '@portal/db/schema/schema.ts';
import { formatInstant } from '@portal/domain/clock.ts';
import { eq } from '@portal/db/sql.ts';
import { getProviderName } from '../identity/link-emails.ts';

/** Returns a sentence for each method, newest first, and one that says what to do. Empty if only the password logs the person in. */
export async function describeOtherMethods(tx: Tx, userId: string): Promise<string[]> {
  const ownPasskeys = await tx.select({ name: passkeys.name, at: passkeys.createdAt }).from(passkeys).where(eq(passkeys.userId, userId));
  const linkedAccounts = await tx
    .select({ provider: identities.provider, email: identities.email, at: identities.linkedAt })
    .from(identities)
    .where(eq(identities.userId, userId));
  const methods = [
    ...ownPasskeys.map(({ name, at }) => ({ text: `The passkey “${name}”`, at })),
    ...linkedAccounts.map(({ provider, email, at }) => ({
      text: `${getProviderName(provider)}${email === null ? '' : ` (${email})`}`,
      at,
    })),
  ].toSorted((a, b) => b.at.localeCompare(a.at));
  if (methods.length === 0) return [];
  return [
    'These still log you in without the password. If one isn’t yours, remove it in your profile under Security. If you can’t, contact us now.',
    ...methods.map(({ text, at }) => `${text}, added on ${formatInstant(at)}.`),
  ];
}
