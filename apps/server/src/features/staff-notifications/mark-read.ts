import type { staffNotificationsApi } from '@portal/contract/staff-notifications.ts';
import { isInIdList } from '@portal/db/in-id-list.ts';
import { staffNotifications } from '@portal/db/schema/schema.ts';
import { and, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { countUnreadNotifications, isOwnNotification } from './notification-queries.ts';

export async function markRead(
  { database: { db }, clock }: AppDeps,
  { input, tenant, actor }: Call<typeof staffNotificationsApi.markRead>,
): Promise<{ unread: number }> {
  const owner = { companyId: tenant.practiceId, userId: actor.userId };
  const { notification_ids: ids } = input;
  await db
    .update(staffNotifications)
    .set({ readAt: clock.now() })
    .where(
      and(
        isOwnNotification(owner),
        isNull(staffNotifications.readAt),
        ids === undefined ? undefined : isInIdList(staffNotifications.id, ids),
      ),
    );
  return { unread: await countUnreadNotifications(db, owner) };
}
