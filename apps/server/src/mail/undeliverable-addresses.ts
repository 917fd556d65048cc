/** Addresses that a company's email has bounced from. Nothing is sent to them except essential emails. */
import type { Db, Tx } from '@portal/db/database.ts';
import { undeliverableAddresses } from '@portal/db/schema/schema.ts';
import { and, eq, sql, type SQL } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { FAILURE_MESSAGES } from '@portal/domain/mail-reports/delivery-failure.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { formatDate } from '@portal/domain/plain-date.ts';

type UndeliverableRow = typeof undeliverableAddresses.$inferSelect;

export const isAddress = (companyId: string, email: string): SQL | undefined =>
  and(eq(undeliverableAddresses.companyId, companyId), eq(undeliverableAddresses.email, email.trim().toLowerCase()));

export async function findUndeliverableAddress(db: Db | Tx, companyId: string, email: string): Promise<UndeliverableRow | undefined> {
  const [undeliverableRow] = await db.select().from(undeliverableAddresses).where(isAddress(companyId, email));
  return undeliverableRow;
}

/** Returns a condition that is true if nothing may be sent to the address. */
export const isUndeliverable = (companyId: string, email: SQL): SQL<boolean> =>
  sql<boolean>`exists (select from undeliverable_addresses ua where ua.company_id = ${companyId}::uuid and ua.email = lower(trim(${email})))`;

/** Explains why emails to the address aren't sent, and what the user can do. */
export function describeUndeliverableAddress({ email, cause, reportedAt }: UndeliverableRow): string {
  const day = formatDate(toLondonDate(reportedAt));
  return `We don’t send to ${email}, because an email bounced on ${day}. ${FAILURE_MESSAGES[cause]} Correct the address, or choose “Try this address again” on the client’s page.`;
}

export async function assertDeliverable(tx: Tx, companyId: string, email: string): Promise<void> {
  const undeliverableRow = await findUndeliverableAddress(tx, companyId, email);
  if (undeliverableRow)
    throw new AppError('conflict', 'mail.undeliverable', describeUndeliverableAddress(undeliverableRow), { field: 'email' });
}
