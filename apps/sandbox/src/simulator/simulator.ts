/** A simulator: a stateful stand-in for one provider that speaks its wire format over real HTTP, as a Fastify plugin that the sandbox and the tests host. */
import type { Clock } from '@portal/domain/clock.ts';
import type { SimulatorStore } from './simulator-store.ts';
import type { Faults } from './faults.ts';

/** What a simulator needs. `publicUrl` is where callers reach it, without a trailing slash: "http://localhost:3001/hmrc". */
export type SimulatorDeps = {
  readonly store: SimulatorStore;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly publicUrl: string;
};
