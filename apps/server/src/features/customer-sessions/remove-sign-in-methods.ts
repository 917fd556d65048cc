/**
 * Removes a customer's passkeys, authenticator app and linked accounts. Without it, an attacker who added a passkey with a stolen
 * password would outlast the owner's password reset, and the owner, who can't confirm with that passkey, couldn't remove it (decision 111).
 */
import type { Tx } from '@portal/db/database.ts';
import { authenticators, identities, passkeys, recoveryCodes } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { getProviderName } from '../identity/link-emails.ts';

/** Returns what was removed, in words. */
export async function removeSignInMethods(tx: Tx, userId: string): Promise<string[]> {
  const removedPasskeys = await tx.delete(passkeys).where(eq(passkeys.userId, userId)).returning({ name: passkeys.name });
  const removedApps = await tx
    .delete(authenticators)
    .where(eq(authenticators.userId, userId))
    .returning({ confirmedAt: authenticators.confirmedAt });
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  const removedIdentities = await tx
    .delete(identities)
    .where(eq(identities.userId, userId))
    .returning({ provider: identities.provider, email: identities.email });
  return [
    ...removedPasskeys.map(({ name }) => `the passkey “${name}”`),
    ...removedApps.flatMap(({ confirmedAt }) => (confirmedAt === null ? [] : ['the authenticator app'])),
    ...removedIdentities.map(({ provider, email }) => `${getProviderName(provider)}${email === null ? '' : ` (${email})`}`),
  ];
}
