import { describe, expect, it } from 'vitest';
import { parseInstant, type Instant } from '../clock.ts';
import { getInvitationState, getNextReminderAt, MAX_REMINDERS } from './invitation-state.ts';

const getInstantOn = (day: number): Instant => parseInstant(`2026-11-${String(day).padStart(2, '0')}T09:00:00.000Z`) as Instant;
const DRAFT = { sentAt: null, expiresAt: null, openedAt: null, acceptedAt: null, revokedAt: null, bouncedAt: null };
const SENT = { ...DRAFT, sentAt: getInstantOn(1), expiresAt: getInstantOn(22) };

describe('the state of a client’s invitation', () => {
  it.each([
    ['a draft before its email', DRAFT, getInstantOn(2), 'draft'],
    ['sent until it is opened', SENT, getInstantOn(2), 'sent'],
    ['opened', { ...SENT, openedAt: getInstantOn(2) }, getInstantOn(3), 'opened'],
    ['expired when its link ends, opened or not', { ...SENT, openedAt: getInstantOn(2) }, getInstantOn(22), 'expired'],
    ['bounced, also after the link’s end', { ...SENT, bouncedAt: getInstantOn(1) }, getInstantOn(23), 'bounced'],
    ['accepted for good', { ...SENT, openedAt: getInstantOn(2), acceptedAt: getInstantOn(3) }, getInstantOn(25), 'accepted'],
    ['revoked for good, even as a draft', { ...DRAFT, revokedAt: getInstantOn(3) }, getInstantOn(3), 'revoked'],
  ] as const)('is %s', (_, times, now, state) => {
    expect(getInvitationState(times, now)).toBe(state);
  });
});

it('reminds three times, the last time three days before the link ends, and then stops', () => {
  const days = Array.from({ length: MAX_REMINDERS + 1 }, (_, sent) => getNextReminderAt(getInstantOn(22), sent));
  expect(days).toEqual([getInstantOn(4), getInstantOn(11), getInstantOn(19), null]);
});
