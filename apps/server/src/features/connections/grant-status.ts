import type { CompanyConnections } from '@portal/contract/connections.ts';
import type { hmrcConnections } from '@portal/db/schema/schema.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';

/** So long before its end people are warned; from the first on a permission is called ending: time enough to renew it between two returns. */
export const WARNING_DAYS = [30, 7] as const;

/** Whether HMRC's permission ends soon, or has ended. */
export function endsSoon(consentEndsAt: Instant, now: Instant): boolean {
  return consentEndsAt <= addMilliseconds(now, WARNING_DAYS[0] * 86_400_000);
}

type Grant = Pick<typeof hmrcConnections.$inferSelect, 'status' | 'consentEndsAt'>;

/** A grant past its 18 months is lapsed, whether or not a call has found out yet. */
export function grantStatus(grant: Grant | null, now: Instant): CompanyConnections['hmrc']['status'] {
  if (grant === null || grant.status === 'postponed') return 'not_connected';
  if (grant.status !== 'connected' || grant.consentEndsAt === null) return grant.status;
  if (grant.consentEndsAt <= now) return 'lapsed';
  return endsSoon(grant.consentEndsAt, now) ? 'ending' : 'connected';
}
