import { describe, expect, it } from 'vitest';
import { parseInstant, type Instant } from '../clock.ts';
import { getInvitationState, getNextReminderAt, MAX_REMINDERS } from './invitation-state.ts';

const at = (day: number): Instant => parseInstant(`2026-11-${String(day).padStart(2, '0')}T09:00:00.000Z`) as Instant;
const DRAFT = { sentAt: null, expiresAt: null, openedAt: null, acceptedAt: null, revokedAt: null, bouncedAt: null };
const SENT = { ...DRAFT, sentAt: at(1), expiresAt: at(22) };

describe('the state of a client’s invitation', () => {
  it.each([
    ['a draft before its email', DRAFT, at(2), 'draft'],
    ['sent until it is opened', SENT, at(2), 'sent'],
    ['opened', { ...SENT, openedAt: at(2) }, at(3), 'opened'],
    ['expired when its link ends, opened or not', { ...SENT, openedAt: at(2) }, at(22), 'expired'],
    ['bounced, also after the link’s end', { ...SENT, bouncedAt: at(1) }, at(23), 'bounced'],
    ['accepted for good', { ...SENT, openedAt: at(2), acceptedAt: at(3) }, at(25), 'accepted'],
    ['revoked for good, even as a draft', { ...DRAFT, revokedAt: at(3) }, at(3), 'revoked'],
  ] as const)('is %s', (_, times, now, state) => {
    expect(getInvitationState(times, now)).toBe(state);
  });
});

it('reminds three times, the last time three days before the link ends, and then stops', () => {
  const days = Array.from({ length: MAX_REMINDERS + 1 }, (_, sent) => getNextReminderAt(at(22), sent));
  expect(days).toEqual([at(4), at(11), at(19), null]);
});
