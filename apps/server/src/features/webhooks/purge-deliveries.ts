import { webhookDeliveries } from '@portal/db/schema/schema.ts';
import { lt } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import type { AppDeps } from '../../app-deps.ts';

const RETENTION_MS = 30 * 86_400_000;

/** Long after any delivery's last attempt. */
export async function purgeDeliveries({ database, wallClock }: Pick<AppDeps, 'database' | 'wallClock'>): Promise<void> {
  await database.db.delete(webhookDeliveries).where(lt(webhookDeliveries.createdAt, addMilliseconds(wallClock.now(), -RETENTION_MS)));
}
