import { staffNotifications } from '@portal/db/schema/schema.ts';
import { lt } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import type { AppDeps } from '../../app-deps.ts';

const NOTIFICATION_RETENTION_DAYS = 90;

export async function purgeNotifications({ database: { db }, clock }: AppDeps): Promise<void> {
  const since = addMilliseconds(clock.now(), -NOTIFICATION_RETENTION_DAYS * 86_400_000);
  await db.delete(staffNotifications).where(lt(staffNotifications.createdAt, since));
}
