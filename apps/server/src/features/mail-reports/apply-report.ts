/** Applies a report about an email: its outcome, whether its address still gets mail, and who is notified, in one transaction. */
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import {
  clientEmails,
  clientInvitations,
  clientMessageRecipients,
  clientMessages,
  invitationRunClients,
  reportAddresses,
  undeliverableAddresses,
} from '@portal/db/schema/schema.ts';
import { and, eq, inArray, isNull, sql } from '@portal/db/sql.ts';
import {
  describeReport,
  FAILURE_MESSAGES,
  type FailureCause,
  isFinalFailure,
  type MailReport,
} from '@portal/domain/mail-reports/delivery-failure.ts';
import type { AppDeps } from '../../app-deps.ts';
import { hashReportToken } from '../../mail/report-address.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { recordOutcomes } from '../messages/message-attempts.ts';
import { listAdminIds, notify } from '../staff-notifications/notify.ts';
import { findCurrentAuthor } from '../team/find-current-author.ts';
import { findClientOfAddress } from './addresses-of-client.ts';

type Email = typeof reportAddresses.$inferSelect;

/** A complaint may follow a delivery; nothing follows a complaint. */
const SEVERITY: Readonly<Record<MailReport['kind'], number>> = { delayed: 1, failed: 2, complaint: 3 };

export async function applyReport(deps: AppDeps, token: string, report: MailReport): Promise<'applied' | 'repeated' | 'unknown'> {
  return deps.database.db.transaction(async (tx) => {
    const isThis = eq(reportAddresses.tokenHash, hashReportToken(token));
    // Another copy of the same report would wait here.
    const [email] = await tx.select().from(reportAddresses).where(isThis).for('update');
    if (!email) return 'unknown';
    if (email.reported !== null && SEVERITY[email.reported] >= SEVERITY[report.kind]) return 'repeated';
    await tx.update(reportAddresses).set({ reported: report.kind }).where(isThis);
    const emailDetails = await endEmail(deps, tx, email, report);
    const sender =
      (email.messageId === null ? await endInvitation(deps, tx, email, report) : await endMessage(deps, tx, email, report)) ?? emailDetails;
    await suppressAddress(deps, tx, email, report, sender);
    return 'applied';
  });
}

/** Who sent the email, and which client it was about. */
type Sender = { readonly userId: string; readonly clientId: string };

async function endMessage(deps: AppDeps, tx: Tx, email: Email, report: MailReport): Promise<Sender | undefined> {
  const { companyId, messageId, clientId, attemptId } = email;
  if (messageId === null || clientId === null || attemptId === null) return undefined;
  const recipients = clientMessageRecipients;
  const isFailure = report.kind === 'failed';
  const updatedRecipients = await tx
    .update(recipients)
    .set({ reason: describeReport(report), ...(isFailure ? { status: 'bounced' as const, endedAt: deps.clock.now() } : {}) })
    .where(
      and(
        eq(recipients.companyId, companyId),
        eq(recipients.messageId, messageId),
        eq(recipients.clientId, clientId),
        // Excludes reports on an earlier attempt, which someone has since repeated.
        eq(recipients.attemptId, attemptId),
        inArray(recipients.status, ['sending', 'sent', 'unknown']),
      ),
    )
    .returning({ messageId: recipients.messageId, clientId: recipients.clientId });
  if (isFailure) await recordOutcomes(deps, tx, companyId, updatedRecipients, 'bounced');
  const [message] = await tx
    .select({ userId: clientMessages.createdBy })
    .from(clientMessages)
    .where(and(eq(clientMessages.companyId, companyId), eq(clientMessages.id, messageId)));
  return message && { ...message, clientId };
}

async function endEmail(deps: AppDeps, tx: Tx, { companyId, clientEmailId }: Email, report: MailReport): Promise<Sender | undefined> {
  if (clientEmailId === null) return undefined;
  const isFailure = report.kind === 'failed';
  const [updatedEmail] = await tx
    .update(clientEmails)
    .set({ reason: describeReport(report), ...(isFailure ? { status: 'bounced' as const, endedAt: deps.clock.now() } : {}) })
    .where(and(eq(clientEmails.companyId, companyId), eq(clientEmails.id, clientEmailId)))
    .returning({ userId: clientEmails.sentBy, clientId: clientEmails.clientId });
  if (!updatedEmail || updatedEmail.userId === null) return undefined;
  return { userId: await findCurrentAuthor(tx, companyId, updatedEmail.userId), clientId: updatedEmail.clientId };
}

async function endInvitation(deps: AppDeps, tx: Tx, email: Email, report: MailReport): Promise<Sender | undefined> {
  const { companyId, invitation: tokenHash } = email;
  if (tokenHash === null) return undefined;
  const at = deps.clock.now();
  const change =
    report.kind === 'failed'
      ? { bouncedAt: at, sentAt: sql`coalesce(${clientInvitations.sentAt}, ${at}::timestamptz)` }
      : report.kind === 'complaint'
        ? { remindersEndedAt: at }
        : undefined;
  const isThis = and(
    eq(clientInvitations.companyId, companyId),
    // A newer email, perhaps to another address, has a different link.
    eq(clientInvitations.tokenHash, tokenHash),
    isNull(clientInvitations.acceptedAt),
  );
  if (change) await tx.update(clientInvitations).set(change).where(isThis);
  const [invitation] = await tx
    .select({ id: clientInvitations.id, userId: clientInvitations.invitedBy, clientId: clientInvitations.clientId })
    .from(clientInvitations)
    .where(isThis);
  if (!invitation) return undefined;
  const invitedClients = invitationRunClients;
  await tx
    .update(invitedClients)
    .set({ reason: describeReport(report), ...(report.kind === 'failed' ? { status: 'failed' as const, endedAt: at } : {}) })
    .where(
      and(
        eq(invitedClients.companyId, companyId),
        eq(invitedClients.invitationId, invitation.id),
        sql`lower(${invitedClients.email}) = ${email.email}`,
        inArray(invitedClients.status, ['sending', 'sent', 'unknown']),
      ),
    );
  return invitation;
}

/**
 * Notifies once for a message's emails of one kind, but separately for another address, or for an email that was given up on without a
 * finding about its address.
 */
async function suppressAddress(deps: AppDeps, tx: Tx, email: Email, report: MailReport, sender: Sender | undefined): Promise<void> {
  if (report.kind === 'delayed') return;
  const { companyId, email: address } = email;
  const at = deps.clock.now();
  const cause: FailureCause = report.kind === 'complaint' ? 'complaint' : report.cause;
  let key = email.tokenHash;
  if (isFinalFailure(report)) {
    const row = { companyId, email: address, cause, detail: report.kind === 'failed' ? report.detail : '', reportedAt: at };
    const addedAddresses = await tx
      .insert(undeliverableAddresses)
      .values(row)
      .onConflictDoNothing()
      .returning({ email: undeliverableAddresses.email });
    if (addedAddresses.length === 0) return;
    await recordAudit(tx, { companyId, at, actor: 'mail', action: 'address.undeliverable', subject: address, after: { cause } });
    key = `${address} ${at}`;
  }
  // For a message to many dead addresses, the author is notified once. The Messages page lists all of them.
  if (email.messageId !== null) key = `${email.messageId} ${report.kind}`;
  const clientId = sender?.clientId ?? (await findClientOfAddress(tx, companyId, address));
  const path =
    clientId === undefined
      ? `${PAGES.practiceMessages.path}?company_id=${companyId}`
      : `${PAGES.clientDashboard.path}?company_id=${companyId}&client_id=${clientId}&tab=people`;
  const title =
    report.kind === 'complaint' ? `${address} reported an email as spam` : `An email to ${address} bounced. ${FAILURE_MESSAGES[cause]}`;
  const userIds = sender ? [sender.userId] : await listAdminIds(tx, companyId);
  await notify(deps, tx, companyId, [{ kind: 'mail_bounced', key, clientId: clientId ?? null, title, path, userIds }]);
}
