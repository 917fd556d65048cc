import type { MailboxState } from '@portal/contract/mailbox.ts';
import type { MailboxProvider } from '@portal/domain/messages/sending-limits.ts';
import type { AppDeps } from '../../app-deps.ts';
import { findMailbox } from './find-mailbox.ts';

/** A practice has one mailbox, so at most one of the two is connected. */
export async function getMailboxState(deps: AppDeps, companyId: string, provider: MailboxProvider): Promise<MailboxState> {
  const mailbox = await findMailbox(deps.database.db, companyId);
  const ownMailbox = mailbox?.provider === provider ? mailbox : undefined;
  return {
    connected: ownMailbox?.status === 'connected',
    status: ownMailbox?.status ?? 'not_connected',
    address: ownMailbox?.address ?? null,
    connected_at: ownMailbox?.connectedAt ?? null,
    lost_at: ownMailbox?.lostAt ?? null,
    lost_reason: ownMailbox?.lostReason ?? null,
    is_available: deps.mailboxes[provider] !== undefined,
  };
}
