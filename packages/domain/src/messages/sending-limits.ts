/** Limits on sending a practice's messages. Lower than the providers' limits, because staff also use the mailbox (decision 53). */
import { addMilliseconds, type Instant } from '../clock.ts';

/** The providers of a practice’s own mailbox. */
export const MAILBOX_PROVIDERS = ['gmail', 'outlook'] as const;
export type MailboxProvider = (typeof MAILBOX_PROVIDERS)[number];

/** How a message was sent: through the practice’s own mailbox, or from our email address through our mail server. */
export const MESSAGE_ROUTES = [...MAILBOX_PROVIDERS, 'smtp'] as const;
export type MessageRoute = (typeof MESSAGE_ROUTES)[number];

export type SendingLimits = {
  readonly perMinute: number;
  readonly perDay: number;
  /** How many more a day leave for emails about one matter, such as an approval, which can’t wait behind a message to thousands. */
  readonly reservePerDay: number;
};

/** Domains for personal accounts, which have lower limits than organisations' accounts. */
const PERSONAL_DOMAINS: Readonly<Record<MailboxProvider, ReadonlySet<string>>> = {
  gmail: new Set(['gmail.com', 'googlemail.com']),
  outlook: new Set(['outlook.com', 'hotmail.com', 'hotmail.co.uk', 'live.com', 'live.co.uk', 'msn.com']),
};

const PERSONAL_LIMITS: Readonly<Record<MailboxProvider, SendingLimits>> = {
  // support.google.com/mail/answer/22839: 500 messages a day.
  gmail: { perMinute: 60, perDay: 400, reservePerDay: 40 },
  // Microsoft doesn't publish a single figure for personal accounts.
  outlook: { perMinute: 24, perDay: 240, reservePerDay: 24 },
};

const LIMITS: Readonly<Record<MessageRoute, SendingLimits>> = {
  // developers.google.com/gmail/api/reference/quota: 15,000 units a minute, 100 a message; support.google.com/a/answer/166852: 2,000 a day.
  gmail: { perMinute: 60, perDay: 1_600, reservePerDay: 160 },
  // learn.microsoft.com, "Exchange Online limits", sending limits: 30 messages a minute, 10,000 recipients a day.
  outlook: { perMinute: 24, perDay: 8_000, reservePerDay: 800 },
  smtp: { perMinute: 60, perDay: 5_000, reservePerDay: 0 },
};
/**
 * Limits for sending from our email address for a practice that HMRC hasn't confirmed: anyone can create one and import strangers as
 * clients.
 */
const UNCONFIRMED_SMTP_LIMITS: SendingLimits = { perMinute: 10, perDay: 50, reservePerDay: 0 };

/** Returns the limits for a route. `address` is the mailbox’s email address; `isConfirmed` means that the practice is connected to HMRC. */
export function getSendingLimits(route: MessageRoute, address: string, isConfirmed: boolean): SendingLimits {
  if (route === 'smtp' && !isConfirmed) return UNCONFIRMED_SMTP_LIMITS;
  const domain = address.split('@')[1]?.toLowerCase() ?? '';
  return route !== 'smtp' && PERSONAL_DOMAINS[route].has(domain) ? PERSONAL_LIMITS[route] : LIMITS[route];
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/**
 * The pause after an attempt with an unknown outcome, so that if a provider stops responding, only a few such attempts are made rather than
 * thousands.
 */
const UNKNOWN_WAIT_MS = 5 * MINUTE_MS;

/** Wall-clock times of earlier attempts; null if there were fewer. */
export type EarlierAttempts = {
  /** The attempt `perMinute` attempts ago, and the one `perDay` attempts ago. */
  readonly minuteAgo: Instant | null;
  readonly dayAgo: Instant | null;
  /** The last attempt with an unknown outcome. */
  readonly unknown: Instant | null;
};

/** Returns when the next message may be sent, if not now. */
export function findNextSendAt({ minuteAgo, dayAgo, unknown }: EarlierAttempts, now: Instant): Instant | undefined {
  const times = [
    minuteAgo && addMilliseconds(minuteAgo, MINUTE_MS),
    dayAgo && addMilliseconds(dayAgo, DAY_MS),
    unknown && addMilliseconds(unknown, UNKNOWN_WAIT_MS),
  ].filter((time): time is Instant => time !== null && time > now);
  return times.toSorted().at(-1);
}
