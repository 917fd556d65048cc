import type { PendingTask } from '@portal/contract/tasks.ts';
import type { Db } from '@portal/db/database.ts';
import { clientPeople, identityChecks, memberships, operators, partnerContacts, users } from '@portal/db/schema/schema.ts';
import type { OwnerIdentityStatus } from '@portal/domain/advances/advance-statuses.ts';
import { eq, sql } from '@portal/db/sql.ts';
import { describeUserTasks } from './describe-person-tasks.ts';

/** A user's own tasks. Uses the stored identity check, so that listing tasks doesn't call the provider every time. */
export function prepareUserTasks(db: Db): (userId: string) => Promise<PendingTask[]> {
  const statement = db
    .select({
      email: users.email,
      emailVerifiedAt: users.emailVerifiedAt,
      phone: users.phone,
      phoneVerifiedAt: users.phoneVerifiedAt,
      isOperator: sql`exists (select 1 from ${operators} o where o.user_id = users.id and o.disabled_at is null)`.mapWith(Boolean),
      hasMembership: sql`exists (select 1 from ${memberships} m where m.user_id = users.id)`.mapWith(Boolean),
      isClient: sql`exists (select 1 from ${clientPeople} c where c.user_id = users.id)`.mapWith(Boolean),
      isPartnerContact: sql`exists (select 1 from ${partnerContacts} p where p.user_id = users.id)`.mapWith(Boolean),
      ownsCompany: sql`exists (select 1 from ${memberships} m where m.user_id = users.id and m.role = 'trader_owner')`.mapWith(Boolean),
      identity: sql<OwnerIdentityStatus | null>`(select c.status from ${identityChecks} c where c.user_id = users.id order by c.created_at desc limit 1)`,
    })
    .from(users)
    .where(eq(users.id, sql.placeholder('userId')))
    .prepare('person_tasks');
  return async (userId) => {
    const [userTasks] = await statement.execute({ userId });
    if (!userTasks) return [];
    const { emailVerifiedAt, phoneVerifiedAt, identity, ...facts } = userTasks;
    return describeUserTasks({
      ...facts,
      isEmailVerified: emailVerifiedAt !== null,
      isPhoneVerified: phoneVerifiedAt !== null,
      identity: identity ?? 'not_started',
    });
  };
}
