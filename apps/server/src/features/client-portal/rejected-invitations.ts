import { clientInvitations } from '@portal/db/schema/schema.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { RecipientRefusedError, type OutgoingEmail } from '../../mail/mailer.ts';

/**
 * Sends an email. If the mail server permanently rejects an invitation's address, the invitation records this, so that the practice can
 * correct the address. For any other email the job fails and is retried.
 */
export async function sendOrRecordRejection(deps: AppDeps, { sentFor }: OutgoingEmail, send: () => Promise<void>): Promise<void> {
  try {
    await send();
  } catch (error) {
    const invitation = sentFor?.invitation;
    if (!(error instanceof RecipientRefusedError) || invitation === undefined) throw error;
    // A newer email, perhaps to another address, has a different link.
    const isThis = and(eq(clientInvitations.tokenHash, invitation), isNull(clientInvitations.acceptedAt));
    await deps.database.db.update(clientInvitations).set({ bouncedAt: deps.clock.now() }).where(isThis);
  }
}
