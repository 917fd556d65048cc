import { parseInstant, type Instant } from '@portal/domain/clock.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { describe, expect, it } from 'vitest';
import { isStale } from './is-stale.ts';

const parseInstantText = (text: string): Instant => {
  const instant = parseInstant(text);
  if (!instant) throw new Error(text);
  return instant;
};
const TODAY = plainDate('2026-11-21');

describe('figures from HMRC are refreshed automatically', () => {
  it.each([
    ['when they were never read', null, '2026-11-21T09:00:00Z', true],
    ['after 15 minutes', '2026-11-21T09:00:00Z', '2026-11-21T09:15:01Z', true],
    ['not before', '2026-11-21T09:00:00Z', '2026-11-21T09:15:00Z', false],
    ['when they are of another London day', '2026-11-20T23:59:00Z', '2026-11-21T00:05:00Z', true],
    ['not because a moved sandbox clock is ahead of the browser', '2026-11-21T09:00:00Z', '2026-10-01T09:00:00Z', false],
    ['not because the browser’s clock is days ahead', '2026-11-21T09:00:00Z', '2026-11-25T09:00:00Z', false],
  ])('%s', (_when, asOf, browserNow, expected) => {
    expect(isStale(asOf === null ? null : parseInstantText(asOf), TODAY, parseInstantText(browserNow))).toBe(expected);
  });
});
