/** Lets a user email HMRC's link for a pending request to the client, for the first time or again. */
import type { Authorisation, authorisationsApi } from '@portal/contract/authorisations.ts';
import { clientAuthorisations, clientMessageRecipients, clientMessages } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { queueRequestEmail } from '../authorisation-emails/queue-request-email.ts';
import { loadRequestEmails } from '../authorisation-emails/load-request-emails.ts';
import { viewAuthorisation } from './authorisations-queries.ts';

export async function emailAuthorisation(
  deps: AppDeps,
  { input, tenant, actor, caller }: Call<typeof authorisationsApi.email>,
): Promise<Authorisation> {
  const { practiceId: companyId, clientId } = tenant;
  const { tax, message_id: messageId } = input;
  const key = { companyId, clientId, tax };
  await deps.database.db.transaction(async (tx) => {
    const { companyId: companyIdColumn, clientId: clientIdColumn, tax: taxColumn } = clientAuthorisations;
    const isThis = and(eq(companyIdColumn, companyId), eq(clientIdColumn, clientId), eq(taxColumn, tax));
    // If the user clicks twice, the second request waits here for the first.
    const [storedAuthorisation] = await tx.select().from(clientAuthorisations).where(isThis).for('update');
    const { companyId: company, messageId: message } = clientMessageRecipients;
    const wasQueued = and(eq(company, companyId), eq(message, messageId), eq(clientMessageRecipients.clientId, clientId));
    if ((await tx.$count(clientMessageRecipients, wasQueued)) > 0) return;
    if ((await tx.$count(clientMessages, and(eq(clientMessages.companyId, companyId), eq(clientMessages.id, messageId)))) > 0) {
      throw new AppError(
        'conflict',
        'authorisation.message_exists',
        'This ID was used for another message. Nothing was sent. Use a new ID.',
      );
    }
    const isPending =
      storedAuthorisation?.status === 'link_sent' &&
      storedAuthorisation.expiresOn !== null &&
      storedAuthorisation.expiresOn > deps.clock.today();
    if (!isPending || storedAuthorisation.clientActionUrl === null || storedAuthorisation.invitationId === null) {
      throw new AppError('conflict', 'authorisation.no_pending_request', 'This client has no pending request. Refresh to see its status.');
    }
    const latestEmail = (await loadRequestEmails(tx, key, deps.clock.today()))(clientId, tax);
    if (latestEmail?.status === 'queued' || latestEmail?.status === 'sending') {
      throw new AppError('conflict', 'authorisation.email_under_way', 'The email is still being sent. Wait for the result.');
    }
    const email = { kind: 'repeat' as const, requestedBy: actor.userId, messageId, actor: actor.userId, ip: caller.ip };
    const blocker = await queueRequestEmail(deps, tx, key, email);
    if (blocker === null) return;
    throw blocker === 'no_email'
      ? new AppError('conflict', 'authorisation.no_email', 'This client has no email address. Add one on its profile, or copy the link.')
      : new AppError('conflict', 'authorisation.not_emailed', 'Nothing was sent. Emails go only to active clients with a pending request.');
  });
  return viewAuthorisation(deps, key);
}
