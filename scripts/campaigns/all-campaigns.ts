import type { Campaign } from './campaign.ts';
import { droppedConnections } from './dropped-connections/dropped-connections.ts';
import { environment } from './environment.ts';
import { hostileSequences } from './hostile-sequences.ts';
import { kills } from './kills/kills.ts';
import { primaryLost } from './primary-lost.ts';
import { providerFaults } from './provider-faults.ts';
import { sequences } from './sequences.ts';
import { soak } from './soak.ts';

/** In display order. */
export const ALL_CAMPAIGNS: readonly Campaign[] = [
  kills,
  droppedConnections,
  sequences,
  providerFaults,
  environment,
  hostileSequences,
  primaryLost,
  soak,
];
