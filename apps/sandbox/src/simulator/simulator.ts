/**
 * A simulator replaces one provider. It keeps state, uses the provider's wire format, and is a Fastify plugin for the sandbox and tests.
 */
import type { Clock } from '@portal/domain/clock.ts';
import type { SimulatorStore } from './simulator-store.ts';
import type { Faults } from './faults.ts';

/** Dependencies of a simulator. `publicUrl` is its URL for callers, without a trailing slash: "http://localhost:3001/hmrc". */
export type SimulatorDeps = {
  readonly store: SimulatorStore;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly publicUrl: string;
};
