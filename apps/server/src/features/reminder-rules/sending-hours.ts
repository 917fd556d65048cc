import { getLondonHour, type Instant } from '@portal/domain/clock.ts';

/** Automatic emails to clients are only sent during the day (Europe/London). */
const SENDING_HOURS = { from: 8, until: 18 };

export function isSendingHour(now: Instant): boolean {
  const hour = getLondonHour(now);
  return hour >= SENDING_HOURS.from && hour < SENDING_HOURS.until;
}
