import type { MailboxState } from '@portal/contract/mailbox.ts';
import type { MailboxProvider } from '@portal/domain/messages/sending-limits.ts';
import type { AppDeps } from '../../app-deps.ts';
import { findMailbox } from './find-mailbox.ts';

/** A practice has one mailbox, so at most one of the two is connected. */
export async function getMailboxState(deps: AppDeps, companyId: string, provider: MailboxProvider): Promise<MailboxState> {
  const mailbox = await findMailbox(deps.database.db, companyId);
  const own = mailbox?.provider === provider ? mailbox : undefined;
  return {
    connected: own?.status === 'connected',
    status: own?.status ?? 'not_connected',
    address: own?.address ?? null,
    connected_at: own?.connectedAt ?? null,
    lost_at: own?.lostAt ?? null,
    is_available: deps.mailboxes[provider] !== undefined,
  };
}
