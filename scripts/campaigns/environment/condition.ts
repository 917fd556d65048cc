import type { Engine } from '../campaign.ts';
import type { FakeClock } from './fake-clock.ts';
import type { Machine } from './machine.ts';
import type { SmallDisk } from './small-disk.ts';

/** The machine, with the parts that can be made to fail. */
export type TestEnvironment = {
  readonly machine: Machine;
  readonly dataDisk: SmallDisk;
  readonly spoolDisk: SmallDisk;
  /** Undefined where faketime can't be installed. */
  readonly clock: FakeClock | undefined;
};

/** A failure of the portal's environment. */
export type Condition = {
  readonly name: string;
  readonly engines: readonly Engine[];
  /** Causes the failure, and returns the function that ends it. */
  readonly begin: (testEnvironment: TestEnvironment) => Promise<() => Promise<void>>;
  /** How often each action is attempted while it lasts. Default: twice. */
  readonly rounds?: number;
  /** How many users try at the same time. Default: one. */
  readonly people?: number;
  /** Set if the process can't accept connections; in production, a proxy would then send them to another instance. */
  readonly mayDropConnections?: true;
  /** Set if the trader's figures change. */
  readonly changesFigures?: true;
  /** Further checks while it lasts and afterwards; one sentence per violation. */
  readonly check?: (machine: Machine) => Promise<string[]>;
  /** Set if at least one action must be rejected. If none was, the condition didn't take effect. */
  readonly mustRefuse?: true;
};

export const BOTH_ENGINES: readonly Engine[] = ['embedded', 'postgres'];
