/** Reads and saves a practice's choice to email authorisation requests to its clients. An admin sets it; it is on by default. */
import type { Db, Tx } from '@portal/db/database.ts';
import { practices } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { ActingUser } from '../hmrc-connection/with-trader-access-token.ts';

export async function isEmailingRequests(db: Db | Tx, companyId: string): Promise<boolean> {
  const [practice] = await db.select({ emails: practices.emailsRequests }).from(practices).where(eq(practices.companyId, companyId));
  return practice?.emails ?? false;
}

/** Returns the user's choice in the dialog, otherwise the practice's. Saves an admin's choice for next time. */
export function chooseEmailing(
  deps: AppDeps,
  companyId: string,
  { actor, caller }: ActingUser,
  emailingChoice: boolean | undefined,
): Promise<boolean> {
  return deps.database.db.transaction(async (tx) => {
    const isEmailing = await isEmailingRequests(tx, companyId);
    if (emailingChoice === undefined || emailingChoice === isEmailing) return isEmailing;
    if (actor.role !== 'practice_admin') {
      const message = `Your practice has chosen ${isEmailing ? 'to email' : 'not to email'} authorisation requests. Reload the page to see the current setting, or ask an admin to change it.`;
      throw new AppError('conflict', 'authorisation.emailing_changed', message);
    }
    const at = deps.clock.now();
    await tx.update(practices).set({ emailsRequests: emailingChoice, updatedAt: at }).where(eq(practices.companyId, companyId));
    const change = { before: { emails_clients: isEmailing }, after: { emails_clients: emailingChoice } };
    const entry = { companyId, at, actor: actor.userId, action: 'practice.request_emails', subject: companyId, ip: caller.ip };
    await recordAudit(tx, { ...entry, ...change });
    return emailingChoice;
  });
}
