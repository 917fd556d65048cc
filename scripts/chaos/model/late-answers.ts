/** Scheduled reads whose first answer from the bank arrives late, after other reads have seen newer ones. */
import { createClients } from '../../../apps/server/src/testing/open-test-portal.ts';
import { poll, type POLLS } from './polls.ts';
import type { ModelInstance, ModelTestBed } from './model-test-bed.ts';

export type LateRead = {
  /** False if the read made no call. */
  readonly isWaiting: boolean;
  /** Lets the answer through, and returns the read's result. */
  finish(): Promise<string>;
};

/** Starts a read and returns once the provider has answered its first GET. The portal gets that answer only when the read is finished. */
export async function startLateRead({ portal }: ModelTestBed, instance: ModelInstance, kind: (typeof POLLS)[number]): Promise<LateRead> {
  const [answered, gate] = [Promise.withResolvers<boolean>(), Promise.withResolvers<void>()];
  const sendLate: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    // A token, for example, says nothing that could be out of date.
    if ((init?.method ?? 'GET') !== 'GET') return response;
    answered.resolve(true);
    await gate.promise;
    return response;
  };
  const { payments, directDebits } = createClients(portal.providers, portal.deps.clock, () => sendLate);
  const reading = poll({ ...instance, deps: { ...instance.deps, payments, directDebits } }, kind);
  const isWaiting = await Promise.race([answered.promise, reading.then(() => false)]);
  return {
    isWaiting,
    finish: () => {
      gate.resolve();
      return reading;
    },
  };
}
