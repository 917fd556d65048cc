/** Reads from the browser who referred a new user: the partner shown, the first and the last one (docs/product/decisions.md section 8). */
import type { PartnerTouch, Referral, users } from '@portal/db/schema/schema.ts';
import { toEpochMs, toInstant, type Instant } from '@portal/domain/clock.ts';
import { normalisePartnerName } from '@portal/domain/partners/partner-name.ts';
import { PARTNER_COOKIE, parseTouches, TOUCHES_COOKIE } from '@portal/domain/partners/partner-touches.ts';
import { getPartner } from '@portal/domain/partners/partners.ts';

/** Referral cookies last 30 days, plus a day for clocks that differ. */
const MAX_TOUCH_AGE_MS = 31 * 86_400_000;

/**
 * `shownPartner` is the partner whose terms the page showed, and those terms apply to the account. Its value and the cookies are untrusted:
 * an invalid name counts as organic and an impossible time as now. Neither blocks the sign-up.
 */
export function readReferral(
  cookies: Readonly<Record<string, string | undefined>>,
  shownPartner: string | undefined,
  now: Instant,
): Referral {
  const storedTouches = parseTouches(cookies[TOUCHES_COOKIE] ?? '');
  const first = normalisePartnerName(cookies[PARTNER_COOKIE] ?? shownPartner);
  const partner = normalisePartnerName(shownPartner ?? first);
  const toTouch = (name: string, storedTouch: { partner: string; at: number } | undefined): PartnerTouch => ({
    partner: name,
    at: storedTouch?.partner === name ? toPlausibleInstant(storedTouch.at, now) : now,
  });
  const last = storedTouches.last?.partner ?? partner;
  return { partner: getPartner(partner).name, first: toTouch(first, storedTouches.first), last: toTouch(last, storedTouches.last) };
}

function toPlausibleInstant(epochSeconds: number, now: Instant): Instant {
  const at = epochSeconds * 1000;
  return at <= toEpochMs(now) && at >= toEpochMs(now) - MAX_TOUCH_AGE_MS ? toInstant(at) : now;
}

type ReferralColumns = Pick<typeof users.$inferInsert, 'partner' | 'firstPartner' | 'firstPartnerAt' | 'lastPartner' | 'lastPartnerAt'>;

export function toReferralColumns({ partner, first, last }: Referral): ReferralColumns {
  return { partner, firstPartner: first.partner, firstPartnerAt: first.at, lastPartner: last.partner, lastPartnerAt: last.at };
}
