/** How a notification reaches a person: their choices, mutes, and quiet hours in London. */
import { addMilliseconds, londonHour, type Instant } from '../clock.ts';
import type { PracticeRole } from '../identity/roles.ts';
import { NOTIFICATION_KIND_FACTS, type Channels, type Digest, type NotificationKind } from './notification-kinds.ts';

/** Hours of the London clock, 0 to 23. `from` after `to` spans midnight. Equal hours are no quiet time. */
export type QuietHours = { readonly from: number; readonly to: number };

/** What a person chose; kinds that aren’t named follow the role’s defaults. */
export type NotificationChoices = {
  readonly channels: Readonly<Partial<Record<NotificationKind, Channels>>>;
  readonly digest: Digest;
  readonly quiet: QuietHours | null;
};

/** Until a person chooses. */
export const DEFAULT_CHOICES: NotificationChoices = { channels: {}, digest: 'daily', quiet: null };

/** The chosen or default channels of a kind. A required kind ignores choices. */
export function getChannels(kind: NotificationKind, role: PracticeRole, { channels }: NotificationChoices): Channels {
  const { defaults, isRequired } = NOTIFICATION_KIND_FACTS[kind];
  return isRequired === true ? defaults[role] : (channels[kind] ?? defaults[role]);
}

/** `email`: at once, in the next digest or not at all. `isMuted`: the person muted the client that it is about. */
export function decideDelivery(kind: NotificationKind, role: PracticeRole, choices: NotificationChoices, isMuted: boolean): Channels {
  const channels = getChannels(kind, role, choices);
  if (NOTIFICATION_KIND_FACTS[kind].isRequired === true) return channels;
  if (isMuted) return { portal: false, email: 'off' };
  return channels.email === 'digest' && choices.digest === 'off' ? { ...channels, email: 'off' } : channels;
}

const HOUR_MS = 3_600_000;

/** When the quiet hours end that are now. Null if they aren’t now. */
export function getQuietEnd(now: Instant, quiet: QuietHours | null): Instant | null {
  if (quiet === null || quiet.from === quiet.to) return null;
  const hour = londonHour(now);
  const isQuiet = quiet.from < quiet.to ? hour >= quiet.from && hour < quiet.to : hour >= quiet.from || hour < quiet.to;
  if (!isQuiet) return null;
  // London is always whole hours from UTC. Stepping by the hour is right on the days when the clocks change, too.
  let end = `${now.slice(0, 13)}:00:00.000Z` as Instant;
  do end = addMilliseconds(end, HOUR_MS);
  while (londonHour(end) !== quiet.to);
  return end;
}

/** Digests leave in the morning. One that the portal missed then leaves later that day; in the night it would be yesterday’s news. */
const DIGEST_HOURS = { from: 7, morningUntil: 12, until: 20 };
const MONDAY = 1;

/** Whether digests of the day have left, except those that were missed. Someone who joins or chooses a digest now gets the next day’s. */
export function isAfterDigests(now: Instant): boolean {
  return londonHour(now) >= DIGEST_HOURS.morningUntil;
}

/** Whether a person’s digest leaves now, if it hasn’t today. `weekday`: 1 is Monday. */
export function isDigestTime(now: Instant, weekday: number, { digest, quiet }: NotificationChoices): boolean {
  if (digest === 'off' || (digest === 'weekly' && weekday !== MONDAY)) return false;
  const hour = londonHour(now);
  return hour >= DIGEST_HOURS.from && hour < DIGEST_HOURS.until && getQuietEnd(now, quiet) === null;
}
