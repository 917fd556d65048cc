import { reportAddresses, undeliverableAddresses } from '@portal/db/schema/schema.ts';
import { lt } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import type { AppDeps } from '../../app-deps.ts';

const DAY_MS = 86_400_000;
/** Mail servers try for up to five days (RFC 5321 section 4.5.4.1), and complaints come later. */
const REPORT_ADDRESS_RETENTION_DAYS = 30;
const UNDELIVERABLE_RETENTION_DAYS = 400;

export async function purgeReportAddresses({ database: { db }, wallClock }: AppDeps): Promise<void> {
  await db
    .delete(reportAddresses)
    .where(lt(reportAddresses.createdAt, addMilliseconds(wallClock.now(), -REPORT_ADDRESS_RETENTION_DAYS * DAY_MS)));
}

export async function purgeUndeliverableAddresses({ database: { db }, clock }: AppDeps): Promise<void> {
  const cutoff = addMilliseconds(clock.now(), -UNDELIVERABLE_RETENTION_DAYS * DAY_MS);
  await db.delete(undeliverableAddresses).where(lt(undeliverableAddresses.reportedAt, cutoff));
}
