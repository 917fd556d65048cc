/**
 * Faults set by the control page or a test: the next calls of one operation fail as they sometimes do with a real provider
 * (fault-hooks.ts). `timeout_after_work` does the work but closes the connection without a response, so a blind retry would file or pay
 * twice. `cut_before_work` looks the same to the caller, but nothing was done.
 */
import type { SimulatorStore } from './simulator-store.ts';

export const FAULT_KINDS = [
  'timeout_after_work',
  'too_many',
  'too_many_later',
  'server_error',
  'forbidden',
  'cut_before_work',
  'html_page',
  'malformed_body',
  'cut_off',
  'wrong_types',
  'missing_fields',
  'slow',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/**
 * `operation` is the simulator's name for a call, such as "hmrc.submit_return". `times` is the number of remaining failures. With `every`,
 * only each nth call fails.
 */
export type Fault = { readonly operation: string; readonly kind: FaultKind; readonly times: number; readonly every?: number };

export type Faults = {
  set(fault: Fault): void;
  list(): Fault[];
  clear(): void;
  /** Returns and consumes the fault for this call of the operation, if any. Routes use `createFaultHooks`. */
  takeFault(operation: string): FaultKind | undefined;
  readonly delays: FaultDelays;
};

/** Duration of a slow response, and the time before a connection without a response is closed. */
export type FaultDelays = { readonly slowMs: number; readonly hangMs: number };

export function openFaults(store: SimulatorStore, delays: FaultDelays = { slowMs: 5_000, hangMs: 20_000 }): Faults {
  const faults = store.collection<Fault>('faults');
  const calls = new Map<string, number>();
  const takeFault = (operation: string): FaultKind | undefined => {
    const fault = faults.get(operation);
    if (!fault) return undefined;
    const call = (calls.get(operation) ?? 0) + 1;
    calls.set(operation, call);
    if (call % (fault.every ?? 1) !== 0) return undefined;
    if (fault.times <= 1) faults.delete(operation);
    else faults.put(operation, { ...fault, times: fault.times - 1 });
    return fault.kind;
  };
  return {
    set: (fault) => faults.put(fault.operation, fault),
    list: () => faults.list().map(({ document }) => document),
    clear: () => faults.list().forEach(({ key }) => faults.delete(key)),
    takeFault,
    delays,
  };
}
