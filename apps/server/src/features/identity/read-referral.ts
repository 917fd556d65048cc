/** Reads from the browser who referred a new user: the partner shown, the first and the last one (docs/product/decisions.md section 8). */
import type { Referral, Touch, users } from '@portal/db/schema/schema.ts';
import { epochOf, instantOf, type Instant } from '@portal/domain/clock.ts';
import { cleanPartnerName } from '@portal/domain/partners/partner-name.ts';
import { PARTNER_COOKIE, readTouches, TOUCHES_COOKIE } from '@portal/domain/partners/partner-touches.ts';
import { findPartner } from '@portal/domain/partners/partners.ts';

/** Referral cookies last 30 days, plus a day for clocks that differ. */
const OLDEST_MS = 31 * 86_400_000;

/**
 * `shown` is the partner whose terms the page showed, and those terms apply to the account. Its value and the cookies are untrusted:
 * an invalid name counts as organic and an impossible time as now. Neither blocks the sign-up.
 */
export function readReferral(cookies: Readonly<Record<string, string | undefined>>, shown: string | undefined, now: Instant): Referral {
  const kept = readTouches(cookies[TOUCHES_COOKIE] ?? '');
  const first = cleanPartnerName(cookies[PARTNER_COOKIE] ?? shown);
  const partner = cleanPartnerName(shown ?? first);
  const touch = (name: string, told: { partner: string; at: number } | undefined): Touch => ({
    partner: name,
    at: told?.partner === name ? plausible(told.at, now) : now,
  });
  const last = kept.last?.partner ?? partner;
  return { partner: findPartner(partner).name, first: touch(first, kept.first), last: touch(last, kept.last) };
}

function plausible(epochSeconds: number, now: Instant): Instant {
  const at = epochSeconds * 1000;
  return at <= epochOf(now) && at >= epochOf(now) - OLDEST_MS ? instantOf(at) : now;
}

type ReferralColumns = Pick<typeof users.$inferInsert, 'partner' | 'firstPartner' | 'firstPartnerAt' | 'lastPartner' | 'lastPartnerAt'>;

export function referralColumns({ partner, first, last }: Referral): ReferralColumns {
  return { partner, firstPartner: first.partner, firstPartnerAt: first.at, lastPartner: last.partner, lastPartnerAt: last.at };
}
