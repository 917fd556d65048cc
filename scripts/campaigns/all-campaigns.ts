import type { Campaign } from './campaign.ts';
import { primaryLost } from './primary-lost.ts';
import { sequences } from './sequences.ts';
import { soak } from './soak.ts';

/** In the order in which they are listed. */
export const ALL_CAMPAIGNS: readonly Campaign[] = [sequences, primaryLost, soak];
