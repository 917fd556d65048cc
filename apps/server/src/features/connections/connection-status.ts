import type { CompanyConnections } from '@portal/contract/connections.ts';
import type { hmrcConnections } from '@portal/db/schema/schema.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';

/**
 * Warnings are sent this many days before an authorisation ends. From the first warning its status is "ending", which leaves time to renew
 * it between two returns.
 */
export const WARNING_DAYS = [30, 7] as const;

/** Returns true if the authorisation ends within the first warning period, or has ended. */
export function isEndingSoon(consentEndsAt: Instant, now: Instant): boolean {
  return consentEndsAt <= addMilliseconds(now, WARNING_DAYS[0] * 86_400_000);
}

type ConnectionFacts = Pick<typeof hmrcConnections.$inferSelect, 'status' | 'consentEndsAt'>;

/** An authorisation lapses after its 18 months, even if no call has failed yet. */
export function getHmrcConnectionStatus(connection: ConnectionFacts | null, now: Instant): CompanyConnections['hmrc']['status'] {
  if (connection === null || connection.status === 'postponed') return 'not_connected';
  if (connection.status !== 'connected' || connection.consentEndsAt === null) return connection.status;
  if (connection.consentEndsAt <= now) return 'lapsed';
  return isEndingSoon(connection.consentEndsAt, now) ? 'ending' : 'connected';
}
