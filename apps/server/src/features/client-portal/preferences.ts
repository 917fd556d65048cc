/** The emails that a user gets about a client. due-reminders.ts and client-portal-emails.ts follow these preferences. */
import type { clientPortalApi, NotificationPreference } from '@portal/contract/client-portal.ts';
import { clientPeople } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { ClientTenant } from '../../http/resolve-tenant.ts';
import type { Call } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';

const isOwn = ({ practiceId, clientId }: ClientTenant, { userId }: Actor) =>
  and(eq(clientPeople.companyId, practiceId), eq(clientPeople.clientId, clientId), eq(clientPeople.userId, userId));

export async function getPreference(
  { database: { db } }: AppDeps,
  { tenant, actor }: Call<typeof clientPortalApi.preference>,
): Promise<NotificationPreference> {
  const [foundPreferences] = await db
    .select({ remind_days: clientPeople.remindDays, people_emails: clientPeople.peopleEmails })
    .from(clientPeople)
    .where(isOwn(tenant, actor));
  if (!foundPreferences) throw createNotFoundError();
  return foundPreferences as NotificationPreference;
}

export function savePreference(
  deps: AppDeps,
  { input, tenant, actor, caller }: Call<typeof clientPortalApi.savePreference>,
): Promise<NotificationPreference> {
  const { remind_days: remindDays, people_emails: peopleEmails } = input;
  return deps.database.db.transaction(async (tx) => {
    const [existing] = await tx.select().from(clientPeople).where(isOwn(tenant, actor)).for('update');
    if (!existing) throw createNotFoundError();
    await tx.update(clientPeople).set({ remindDays, peopleEmails }).where(isOwn(tenant, actor));
    await recordAudit(tx, {
      companyId: tenant.practiceId,
      at: deps.clock.now(),
      actor: actor.userId,
      action: 'client.person_preference',
      subject: tenant.clientId,
      before: { remind_days: existing.remindDays, people_emails: existing.peopleEmails },
      after: { user_id: actor.userId, ...input },
      ip: caller.ip,
    });
    return { remind_days: remindDays, people_emails: peopleEmails };
  });
}
