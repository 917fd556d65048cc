/** Hostile calls during normal use, on PostgreSQL with three portals. */
import type { Campaign } from './campaign.ts';
import { runHostileSequences } from './hostile/run-hostile-sequences.ts';

export const hostileSequences: Campaign = {
  name: 'hostile',
  proves: 'Corrupted calls in the middle of valid sequences cause no server error, show no foreign data and change nothing by halves.',
  unit: 'calls',
  target: 1_000_000,
  defaultCount: 200_000,
  engines: ['postgres'],
  run: runHostileSequences,
};
