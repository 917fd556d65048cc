import type { Campaign } from './campaign.ts';
import { hostileSequences } from './hostile-sequences.ts';
import { sequences } from './sequences.ts';

/** In the order in which they are listed. */
export const ALL_CAMPAIGNS: readonly Campaign[] = [sequences, hostileSequences];
