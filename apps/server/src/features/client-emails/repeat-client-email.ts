/** Sends an email to a client again. Never done automatically, because the client would get it twice: a practice member must decide. */
import type { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import { clientEmails } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { assertDeliverable } from '../../mail/undeliverable-addresses.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { enqueueSending } from '../messages/enqueue-sending.ts';
import { canRepeatEmail, isEmail } from './email-key.ts';

export function repeatClientEmail(
  deps: AppDeps,
  { input, tenant, actor, caller }: Call<typeof clientDashboardApi.repeatEmail>,
): Promise<{ done: true }> {
  const { practiceId: companyId, clientId } = tenant;
  const key = { companyId, id: input.email_id };
  return deps.database.db.transaction(async (tx) => {
    const [email] = await tx
      .select()
      .from(clientEmails)
      .where(and(isEmail(key), eq(clientEmails.clientId, clientId)))
      .for('update');
    if (!email) throw createNotFoundError();
    if (!canRepeatEmail(email)) {
      const message = 'You can only resend an email that failed or may have been sent. Reload to see its current status.';
      throw new AppError('conflict', 'client_email.not_repeatable', message);
    }
    await assertDeliverable(tx, companyId, email.email);
    const at = deps.clock.now();
    // A new attempt, so a late result of the earlier one no longer counts.
    await tx
      .update(clientEmails)
      .set({ status: 'queued', attemptId: null, endedAt: null, reason: null, notBefore: null })
      .where(isEmail(key));
    await recordAudit(tx, {
      companyId,
      at,
      actor: actor.userId,
      action: 'client.email_repeated',
      subject: clientId,
      before: { status: email.status },
      after: { title: email.subject, email_id: email.id },
      ip: caller.ip,
    });
    await enqueueSending(deps, tx, companyId);
    return { done: true as const };
  });
}
