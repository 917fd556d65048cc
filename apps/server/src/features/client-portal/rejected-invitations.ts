import { clientInvitations } from '@portal/db/schema/schema.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { JobPayloads } from '../../jobs/job-kinds.ts';
import { RecipientRefusedError } from '../../mail/mailer.ts';

/**
 * Sends an email. If the mail server permanently rejects an invitation's address, the invitation records this, so that the practice can
 * correct the address. For any other email the job fails and is retried.
 */
export async function sendOrRecordRejection(
  deps: AppDeps,
  queuedEmail: JobPayloads['mail.send'],
  send: () => Promise<void>,
): Promise<void> {
  try {
    await send();
  } catch (error) {
    const invitation = 'invitation' in queuedEmail ? queuedEmail.invitation : undefined;
    if (!(error instanceof RecipientRefusedError) || invitation === undefined) throw error;
    // A newer email, perhaps to another address, has a different link.
    const isThis = and(eq(clientInvitations.tokenHash, invitation), isNull(clientInvitations.acceptedAt));
    await deps.database.db.update(clientInvitations).set({ bouncedAt: deps.clock.now() }).where(isThis);
  }
}
