import { expect, it } from 'vitest';
import { parseDatabaseInstant } from './columns.ts';

it.each([
  ['2026-11-21 09:00:00.123+00', '2026-11-21T09:00:00.123Z'],
  ['2026-11-21 09:00:00.04+00', '2026-11-21T09:00:00.040Z'],
  ['2026-11-21 09:00:00+00', '2026-11-21T09:00:00.000Z'],
  ['2026-11-21T09:00:00.5+00:00', '2026-11-21T09:00:00.500Z'],
  ['2026-11-21 10:00:00+01', '2026-11-21T09:00:00.000Z'],
])('the timestamp %s is parsed as %s', (text, instant) => {
  expect(parseDatabaseInstant(text)).toBe(instant);
});
