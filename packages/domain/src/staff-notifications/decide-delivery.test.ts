import { describe, expect, it } from 'vitest';
import type { Instant } from '../clock.ts';
import { decideDelivery, DEFAULT_CHOICES, getQuietHoursEnd, isDigestTime } from './decide-delivery.ts';
import { NOTIFICATION_KIND_FACTS } from './notification-kind-facts.ts';
import { NOTIFICATION_KINDS } from './notification-kinds.ts';

const getInstantAt = (text: string) => `${text}:00.000Z` as Instant;

describe('quiet hours', () => {
  it.each([
    // Winter: London is UTC.
    ['2026-11-27T21:30', 20, 7, '2026-11-28T07:00'],
    ['2026-11-28T06:59', 20, 7, '2026-11-28T07:00'],
    ['2026-11-28T07:00', 20, 7, null],
    ['2026-11-27T12:15', 12, 14, '2026-11-27T14:00'],
    // Summer: one hour ahead.
    ['2026-07-01T05:30', 20, 7, '2026-07-01T06:00'],
    ['2026-07-01T06:00', 20, 7, null],
    // The clocks go forward at 01:00 on 29 March 2026, and back at 02:00 on 25 October 2026 (Summer Time Act 1972).
    ['2026-03-28T23:10', 22, 7, '2026-03-29T06:00'],
    ['2026-10-24T23:10', 22, 7, '2026-10-25T07:00'],
    ['2026-11-27T21:30', 9, 9, null],
  ])('at %s, from %i to %i, end at %s', (now, from, to, end) => {
    expect(getQuietHoursEnd(getInstantAt(now), { from, to })).toBe(end === null ? null : getInstantAt(end));
  });
});

describe('a notification', () => {
  it('follows the role’s defaults until the person chooses, and the digest only if there is one', () => {
    expect(decideDelivery('refresh_failed', 'practice_admin', DEFAULT_CHOICES, false)).toEqual({ portal: true, email: 'digest' });
    expect(decideDelivery('refresh_failed', 'team_member', DEFAULT_CHOICES, false)).toEqual({ portal: true, email: 'off' });
    expect(decideDelivery('refund_appeared', 'team_member', { ...DEFAULT_CHOICES, digest: 'off' }, false)).toEqual({
      portal: true,
      email: 'off',
    });
    const chosenChannels = { ...DEFAULT_CHOICES, channels: { mention: { portal: false, email: 'off' as const } } };
    expect(decideDelivery('mention', 'team_member', chosenChannels, false)).toEqual({ portal: false, email: 'off' });
  });

  it('about a muted client isn’t delivered, and a required one always is', () => {
    const off = { portal: false, email: 'off' } as const;
    expect(decideDelivery('client_left', 'team_member', DEFAULT_CHOICES, true)).toEqual(off);
    for (const kind of NOTIFICATION_KINDS.filter((item) => NOTIFICATION_KIND_FACTS[item].isRequired === true)) {
      const choices = { ...DEFAULT_CHOICES, channels: { [kind]: off }, digest: 'off' as const };
      expect(decideDelivery(kind, 'practice_admin', choices, true)).toEqual({ portal: true, email: 'now' });
    }
  });
});

describe('a digest', () => {
  it.each([
    ['2026-11-27T06:59', 'daily', false],
    ['2026-11-27T07:00', 'daily', true],
    // The digest was missed in the morning.
    ['2026-11-27T19:59', 'daily', true],
    ['2026-11-27T20:00', 'daily', false],
    ['2026-11-30T15:00', 'weekly', true],
    ['2026-07-01T06:00', 'daily', true],
    ['2026-11-27T08:00', 'off', false],
    ['2026-11-27T08:00', 'weekly', false],
    ['2026-11-30T08:00', 'weekly', true],
  ] as const)('at %s (%s) leaves: %s', (now, digest, isExpected) => {
    const weekday = new Date(now).getUTCDay();
    expect(isDigestTime(getInstantAt(now), weekday, { ...DEFAULT_CHOICES, digest })).toBe(isExpected);
  });

  it('waits for the end of quiet hours', () => {
    const choices = { ...DEFAULT_CHOICES, quiet: { from: 20, to: 9 } };
    expect(isDigestTime(getInstantAt('2026-11-27T08:00'), 5, choices)).toBe(false);
    expect(isDigestTime(getInstantAt('2026-11-27T09:00'), 5, choices)).toBe(true);
  });
});
