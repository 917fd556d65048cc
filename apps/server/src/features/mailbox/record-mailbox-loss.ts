/** Records once that a mailbox no longer accepts us, or that its owner has left. Its practice's admins get an email in the same transaction. */
import type { Tx } from '@portal/db/database.ts';
import { companies, mailboxes, users } from '@portal/db/schema/schema.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { MailboxEndReason } from '@portal/domain/messages/mailbox-end-reasons.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { getReconnectPath } from '../connections/get-reconnect-path.ts';
import { listAdminIds, notify } from '../staff-notifications/notify.ts';
import { MAILBOX_NAMES } from './mailbox-names.ts';

type MailboxKey = { readonly companyId: string; readonly connectedAt: Instant };

const EXPLANATIONS: Readonly<Record<MailboxEndReason, (name: string, address: string) => string>> = {
  refused: (name) =>
    `${name} no longer accepts the permission that your practice gave us. Someone may have withdrawn it, changed the account’s password or closed the account.`,
  no_scope: (name) => `${name} no longer lets us send for this account. An administrator of the account may have changed its permissions.`,
  owner_left: (_name, address) =>
    `${address} is the mailbox of someone who no longer works for your practice. They could still read what we sent from it.`,
};

/** Returns false and changes nothing if the mailbox was lost, disconnected or reconnected in the meantime. */
export async function recordMailboxLoss(
  deps: AppDeps,
  tx: Tx,
  { companyId, connectedAt }: MailboxKey,
  reason: MailboxEndReason,
): Promise<boolean> {
  const at = deps.clock.now();
  const [lostMailbox] = await tx
    .update(mailboxes)
    .set({ status: 'lost', lostAt: at, lostReason: reason, accessToken: null, refreshToken: null, accessExpiresAt: null })
    .where(and(eq(mailboxes.companyId, companyId), eq(mailboxes.connectedAt, connectedAt), eq(mailboxes.status, 'connected')))
    .returning({ provider: mailboxes.provider, address: mailboxes.address });
  if (!lostMailbox) return false;
  const { provider, address } = lostMailbox;
  const name = MAILBOX_NAMES[provider];
  await recordAudit(tx, {
    companyId,
    at,
    actor: reason === 'owner_left' ? 'rules' : provider,
    action: 'mailbox.lost',
    subject: companyId,
    after: { provider, address, reason },
  });
  const path = getReconnectPath('practice', companyId);
  const title = `We can’t send from ${address} any more`;
  const [company] = await tx.select({ name: companies.name }).from(companies).where(eq(companies.id, companyId));
  const practice = company?.name ?? '';
  await notify(deps, tx, companyId, [
    {
      kind: 'mailbox_lost',
      key: connectedAt,
      title,
      path,
      userIds: await listAdminIds(tx, companyId),
      email: {
        subject: `${practice}: we can’t send from ${address} any more`,
        preheader: 'Emails to your clients are on hold until you connect a mailbox again.',
        heading: 'The connection to your mailbox has ended',
        paragraphs: [
          EXPLANATIONS[reason](name, address),
          `Messages, requests, approvals and other emails to your clients are on hold, and nothing is lost. ${reason === 'owner_left' ? 'Connect another mailbox, or disconnect this one' : `Reconnect ${address}, or disconnect it`} to send them from our email address instead. Replies will then go to the person who wrote or caused them.`,
        ],
        action: { label: 'Go to connections', path },
        reason: `You’re receiving this because you’re an admin of ${practice}.`,
      },
    },
  ]);
  return true;
}

/** A leaver’s own mailbox no longer sends for the practice, because everything that it sends stays in their sent items. */
export async function endLeaversMailbox(deps: AppDeps, tx: Tx, companyId: string, userId: string): Promise<void> {
  const [mailbox] = await tx
    .select({ companyId: mailboxes.companyId, connectedAt: mailboxes.connectedAt })
    .from(mailboxes)
    .innerJoin(users, sql`lower(${users.email}) = lower(${mailboxes.address})`)
    .where(and(eq(mailboxes.companyId, companyId), eq(users.id, userId)));
  if (mailbox) await recordMailboxLoss(deps, tx, mailbox, 'owner_left');
}
