/** Limits on guessing and flooding, counted in the database so that they apply across instances. */
import type { Db, Tx } from '@portal/db/database.ts';
import { attempts } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { toEpochMs, toInstant, type Clock, type Instant } from '@portal/domain/clock.ts';
import { and, eq, lt, notLike, sql } from '@portal/db/sql.ts';

const WINDOW_MS = 15 * 60_000;

/**
 * Counts one attempt for each subject ("login:a@b", "ip:1.2.3.4"). Throws `tooMany` when one exceeds its limit within 15 minutes: attempts
 * in the current quarter-hour, plus the share of the previous quarter-hour that the last 15 minutes still cover, so that a boundary does
 * not allow twice the limit.
 */
export async function limitAttempts(
  db: Db,
  wallClock: Clock,
  limits: Readonly<Record<string, number>>,
  createError: () => AppError = createAttemptsError,
): Promise<void> {
  for (const [subject, limit] of Object.entries(limits)) {
    if ((await countAttempt(db, wallClock, subject)) > limit) throw createError();
  }
}

/** Counts one attempt. Returns the number in the last 15 minutes, including the share of the previous quarter-hour as above. */
export async function countAttempt(db: Db, wallClock: Clock, subject: string): Promise<number> {
  const now = toEpochMs(wallClock.now());
  const windowStart = toInstant(now - (now % WINDOW_MS));
  const windowBefore = toInstant(now - (now % WINDOW_MS) - WINDOW_MS);
  const shareBefore = 1 - (now % WINDOW_MS) / WINDOW_MS;
  const [row] = await db
    .insert(attempts)
    .values({ subject, windowStart, count: 1 })
    .onConflictDoUpdate({ target: [attempts.subject, attempts.windowStart], set: { count: sql`${attempts.count} + 1` } })
    .returning({ count: attempts.count });
  const [existing] = await db
    .select({ count: attempts.count })
    .from(attempts)
    .where(and(eq(attempts.subject, subject), eq(attempts.windowStart, windowBefore)));
  return (row?.count ?? 0) + (existing?.count ?? 0) * shareBefore;
}

/** Counts one request by a user to an endpoint that uses up HMRC calls or starts long work. */
export function limitRequests(
  db: Db,
  wallClock: Clock,
  { userId, path, max }: { readonly userId: string; readonly path: string; readonly max: number },
): Promise<void> {
  return limitAttempts(db, wallClock, { [`request:${path}:${userId}`]: max }, () => {
    const sentence = `You’ve done this ${max} times in 15 minutes, which is the limit. Wait a few minutes, then try again.`;
    return new AppError('tooMany', 'request.too_many', `${sentence} Nothing you’ve entered has been lost, and no figures have changed.`);
  });
}

export function createAttemptsError(): AppError {
  return new AppError('tooMany', 'identity.too_many_attempts', 'Too many attempts. Wait 15 minutes, then try again.');
}

/**
 * Returns the network that an IP address counts as. The owner of one IPv6 address usually has the whole /64 (RFC 6177), so all addresses in
 * it count as one caller. An IPv4-mapped IPv6 address counts as the IPv4 address.
 */
export function toNetwork(ip: string): string {
  const [address = ''] = ip.toLowerCase().split('%');
  const mappedAddress = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (mappedAddress !== undefined || !address.includes(':')) return mappedAddress ?? address;
  const [head = '', tail] = address.split('::');
  const leadingGroups = head === '' ? [] : head.split(':');
  const laterParts = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups =
    tail === undefined
      ? leadingGroups
      : [...leadingGroups, ...Array.from({ length: 8 - leadingGroups.length - laterParts.length }, () => '0'), ...laterParts];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** Clears the failed attempts that preceded a successful one. */
export async function clearAttempts(db: Db, subject: string): Promise<void> {
  await db.delete(attempts).where(eq(attempts.subject, subject));
}

const DAY_MS = 86_400_000;
const DAILY_PREFIX = 'day:';

/** Counts attempts on a calendar day in UTC. Returns the total including these. */
export async function countToday(db: Db | Tx, wallClock: Clock, subject: string, addedCount: number): Promise<number> {
  const [row] = await db
    .insert(attempts)
    .values({ subject: `${DAILY_PREFIX}${subject}`, windowStart: toDay(wallClock.now()), count: addedCount })
    .onConflictDoUpdate({ target: [attempts.subject, attempts.windowStart], set: { count: sql`${attempts.count} + ${addedCount}` } })
    .returning({ count: attempts.count });
  return row?.count ?? 0;
}

/** Subtracts attempts that were counted at this time by the wall clock. */
export async function subtractFromDayCount(db: Db | Tx, countedAt: Instant, subject: string, removedCount: number): Promise<void> {
  await db
    .update(attempts)
    .set({ count: sql`greatest(${attempts.count} - ${removedCount}, 0)` })
    .where(and(eq(attempts.subject, `${DAILY_PREFIX}${subject}`), eq(attempts.windowStart, toDay(countedAt))));
}

function toDay(at: Instant): Instant {
  const ms = toEpochMs(at);
  return toInstant(ms - (ms % DAY_MS));
}

/** Deletes past windows, which no longer count. */
export async function purgeOldAttempts(db: Db, wallClock: Clock): Promise<void> {
  const isOlderThan = (ageMs: number) => lt(attempts.windowStart, toInstant(toEpochMs(wallClock.now()) - ageMs));
  await db.delete(attempts).where(and(isOlderThan(2 * WINDOW_MS), notLike(attempts.subject, `${DAILY_PREFIX}%`)));
  await db.delete(attempts).where(isOlderThan(DAY_MS));
}
