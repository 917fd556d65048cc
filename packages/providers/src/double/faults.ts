/**
 * Faults put into a double on purpose, by the control page or a test: the next calls of one named operation fail as a real provider sometimes does.
 * `timeout_after_work` does the work, then never answers (the connection is cut): the case that files or pays twice where a client retries blindly.
 */
import { json } from './double.ts';
import type { DoubleStore } from './double-store.ts';

export const FAULT_KINDS = ['timeout_after_work', 'too_many', 'server_error', 'malformed_body', 'slow'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** `operation` is the double's own name for a call, "hmrc.submit_return"; `times` is how many calls it still hits. */
export type Fault = { readonly operation: string; readonly kind: FaultKind; readonly times: number };

export type Faults = {
  set(fault: Fault): void;
  list(): Fault[];
  clear(): void;
  /** Answers a call of the operation through the fault that stands for it, if any. */
  through(operation: string, answer: () => Response | Promise<Response>): Promise<Response>;
};

/** How long a slow answer takes, and how long an answer that never comes is held before the connection is cut. */
export type FaultDelays = { readonly slowMs: number; readonly hangMs: number };

/** The status that tells the host to cut the connection instead of answering; no provider uses it. */
export const CUT_CONNECTION = 599;

export function storedFaults(store: DoubleStore, delays: FaultDelays = { slowMs: 5_000, hangMs: 20_000 }): Faults {
  const faults = store.collection<Fault>('faults');
  const take = (operation: string): FaultKind | undefined => {
    const fault = faults.get(operation);
    if (!fault) return undefined;
    if (fault.times <= 1) faults.delete(operation);
    else faults.put(operation, { ...fault, times: fault.times - 1 });
    return fault.kind;
  };
  return {
    set: (fault) => faults.put(fault.operation, fault),
    list: () => faults.list().map(({ document }) => document),
    clear: () => faults.list().forEach(({ key }) => faults.delete(key)),
    through: async (operation, answer) => {
      switch (take(operation)) {
        case undefined:
          return answer();
        case 'slow':
          await pause(delays.slowMs);
          return answer();
        case 'too_many':
          return json(429, {
            code: 'MESSAGE_THROTTLED_OUT',
            message: 'The request for the API is throttled as you have exceeded your quota.',
          });
        case 'server_error':
          return json(500, { code: 'INTERNAL_SERVER_ERROR', message: 'Internal server error' });
        case 'malformed_body': {
          const real = await answer();
          return new Response('{"obligations":[{"start":', { status: real.status, headers: real.headers });
        }
        case 'timeout_after_work':
          await answer();
          await pause(delays.hangMs);
          return new Response(null, { status: CUT_CONNECTION });
      }
    },
  };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
