/** Queries for a member's notifications in one practice. */
import { NOTIFICATIONS_PAGE_SIZE, type staffNotificationsApi } from '@portal/contract/staff-notifications.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Db } from '@portal/db/database.ts';
import { staffNotifications } from '@portal/db/schema/schema.ts';
import { and, desc, eq, isNull, type SQL } from '@portal/db/sql.ts';

export type NotificationOwner = { readonly companyId: string; readonly userId: string };

/** The badge shows 99+ beyond this. */
const MAX_COUNTED = 100;

export const isOwnNotification = ({ companyId, userId }: NotificationOwner): SQL | undefined =>
  and(eq(staffNotifications.companyId, companyId), eq(staffNotifications.userId, userId), eq(staffNotifications.isInPortal, true));

export async function countUnreadNotifications(db: Db, owner: NotificationOwner): Promise<number> {
  const rows = await db
    .select({ id: staffNotifications.id })
    .from(staffNotifications)
    .where(and(isOwnNotification(owner), isNull(staffNotifications.readAt)))
    .limit(MAX_COUNTED);
  return rows.length;
}

export async function listNotifications(
  db: Db,
  owner: NotificationOwner,
  { from, only_unread: onlyUnread }: { readonly from: number; readonly only_unread?: '1' | undefined },
): Promise<EndpointOutput<typeof staffNotificationsApi.list>> {
  const rows = await db
    .select({
      notification_id: staffNotifications.id,
      kind: staffNotifications.kind,
      title: staffNotifications.title,
      path: staffNotifications.path,
      client_id: staffNotifications.clientId,
      at: staffNotifications.createdAt,
      readAt: staffNotifications.readAt,
    })
    .from(staffNotifications)
    .where(and(isOwnNotification(owner), onlyUnread === '1' ? isNull(staffNotifications.readAt) : undefined))
    .orderBy(desc(staffNotifications.createdAt), desc(staffNotifications.id))
    .limit(NOTIFICATIONS_PAGE_SIZE + 1)
    .offset(from);
  return {
    notifications: rows.slice(0, NOTIFICATIONS_PAGE_SIZE).map(({ readAt, ...row }) => ({ ...row, is_read: readAt !== null })),
    has_more: rows.length > NOTIFICATIONS_PAGE_SIZE,
    unread: await countUnreadNotifications(db, owner),
  };
}
