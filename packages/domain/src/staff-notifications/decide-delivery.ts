/** Decides how a notification reaches a user, based on their choices, mutes, and quiet hours in London. */
import { addMilliseconds, getLondonHour, type Instant } from '../clock.ts';
import type { PracticeRole } from '../identity/roles.ts';
import { NOTIFICATION_KIND_FACTS } from './notification-kind-facts.ts';
import type { Channels, Digest, NotificationKind } from './notification-kinds.ts';

/** Hours in London time, 0 to 23. If `from` is after `to`, they span midnight. Equal hours mean no quiet hours. */
export type QuietHours = { readonly from: number; readonly to: number };

/** A user's choices. Kinds that aren't listed use the role’s defaults. */
export type NotificationChoices = {
  readonly channels: Readonly<Partial<Record<NotificationKind, Channels>>>;
  readonly digest: Digest;
  readonly quiet: QuietHours | null;
};

/** Used until the user makes their own choices. */
export const DEFAULT_CHOICES: NotificationChoices = { channels: {}, digest: 'daily', quiet: null };

/** Returns the chosen or default channels for a kind. A required kind ignores choices. */
export function getChannels(kind: NotificationKind, role: PracticeRole, { channels }: NotificationChoices): Channels {
  const { defaults, isRequired } = NOTIFICATION_KIND_FACTS[kind];
  return isRequired === true ? defaults[role] : (channels[kind] ?? defaults[role]);
}

/** `email`: immediately, in the next digest or not at all. `isMuted`: the user has muted the client concerned. */
export function decideDelivery(kind: NotificationKind, role: PracticeRole, choices: NotificationChoices, isMuted: boolean): Channels {
  const channels = getChannels(kind, role, choices);
  if (NOTIFICATION_KIND_FACTS[kind].isRequired === true) return channels;
  if (isMuted) return { portal: false, email: 'off' };
  return channels.email === 'digest' && choices.digest === 'off' ? { ...channels, email: 'off' } : channels;
}

const HOUR_MS = 3_600_000;

/** Returns when the current quiet hours end; null outside quiet hours. */
export function getQuietHoursEnd(now: Instant, quietHours: QuietHours | null): Instant | null {
  if (quietHours === null || quietHours.from === quietHours.to) return null;
  const hour = getLondonHour(now);
  const isQuiet =
    quietHours.from < quietHours.to ? hour >= quietHours.from && hour < quietHours.to : hour >= quietHours.from || hour < quietHours.to;
  if (!isQuiet) return null;
  // London is always a whole number of hours from UTC, so stepping by the hour also works on days when the clocks change.
  let end = `${now.slice(0, 13)}:00:00.000Z` as Instant;
  do end = addMilliseconds(end, HOUR_MS);
  while (getLondonHour(end) !== quietHours.to);
  return end;
}

/** Digests are sent in the morning. A missed digest is sent later that day, but not at night, when it would be out of date. */
const DIGEST_HOURS = { from: 7, morningUntil: 12, until: 20 };
const MONDAY = 1;

/**
 * Returns true if the day's digests have been sent, except missed ones. Users who join or choose a digest after that get the next day’s.
 */
export function isAfterDigests(now: Instant): boolean {
  return getLondonHour(now) >= DIGEST_HOURS.morningUntil;
}

/** Returns true if a user’s digest is due now, assuming that today's hasn't been sent. `weekday`: 1 is Monday. */
export function isDigestTime(now: Instant, weekday: number, { digest, quiet }: NotificationChoices): boolean {
  if (digest === 'off' || (digest === 'weekly' && weekday !== MONDAY)) return false;
  const hour = getLondonHour(now);
  return hour >= DIGEST_HOURS.from && hour < DIGEST_HOURS.until && getQuietHoursEnd(now, quiet) === null;
}
