import type { Engine } from '../campaign.ts';
import type { FakeClock } from './fake-clock.ts';
import type { Machine } from './machine.ts';
import type { SmallDisk } from './small-disk.ts';

/** The machine with what can be spoiled on it. */
export type Spoilable = {
  readonly machine: Machine;
  readonly dataDisk: SmallDisk;
  readonly spoolDisk: SmallDisk;
  /** Undefined where faketime can't be installed. */
  readonly clock: FakeClock | undefined;
};

/** Something that the portal's surroundings do to it. */
export type Condition = {
  readonly name: string;
  readonly engines: readonly Engine[];
  /** Returns what ends it. */
  readonly begin: (spoilable: Spoilable) => Promise<() => Promise<void>>;
  /** How often each action is tried during it. Default: twice. */
  readonly rounds?: number;
  /** How many people try at once. Default: one. */
  readonly people?: number;
  /** Set if the process can't accept connections, which its proxy then sends to another instance. */
  readonly mayDropConnections?: true;
  /** Set if the trader's figures are others afterwards. */
  readonly changesFigures?: true;
  /** What else must hold during it and after it; one sentence for each violation. */
  readonly check?: (machine: Machine) => Promise<string[]>;
  /** Set if at least one action must be refused, or the condition was not reached. */
  readonly mustRefuse?: true;
};

export const BOTH: readonly Engine[] = ['embedded', 'postgres'];
