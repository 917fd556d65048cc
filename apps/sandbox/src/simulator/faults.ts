/**
 * Faults put into a double on purpose, by the control page or a test: the next calls of one named operation fail as a real provider sometimes does.
 * `timeout_after_work` does the work, then never answers (the connection is cut): the case that files or pays twice where a client retries blindly.
 */
import { html, json } from './responses.ts';
import type { SimulatorStore } from './simulator-store.ts';

export const FAULT_KINDS = [
  'timeout_after_work',
  'too_many',
  'too_many_later',
  'server_error',
  'html_page',
  'malformed_body',
  'cut_off',
  'wrong_types',
  'missing_fields',
  'slow',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** `operation` is the double's own name for a call, "hmrc.submit_return"; `times` is how many calls it still hits. */
export type Fault = { readonly operation: string; readonly kind: FaultKind; readonly times: number };

export type Faults = {
  set(fault: Fault): void;
  list(): Fault[];
  clear(): void;
  /** The fault that the next call of the operation meets, if any; it counts as used. Routes get it from `faultHooks`. */
  take(operation: string): FaultKind | undefined;
  readonly delays: FaultDelays;
  /** Answers a call of the operation through the fault that stands for it, if any. */
  through(operation: string, answer: () => Response | Promise<Response>): Promise<Response>;
};

/** How long a slow answer takes, and how long an answer that never comes is held before the connection is cut. */
export type FaultDelays = { readonly slowMs: number; readonly hangMs: number };

/** The status that tells the host to cut the connection instead of answering; no provider uses it. */
export const CUT_CONNECTION = 599;
/** As above, once half of the body is out: the status meant is in this header. */
export const CUT_HALFWAY = 598;
export const STATUS_MEANT = 'x-sandbox-status';

/** What `too_many_later` asks for. */
const RETRY_AFTER_SECONDS = 3;

export function storedFaults(store: SimulatorStore, delays: FaultDelays = { slowMs: 5_000, hangMs: 20_000 }): Faults {
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
    take,
    delays,
    through: async (operation, answer) => {
      switch (take(operation)) {
        case undefined:
          return answer();
        case 'slow':
          await pause(delays.slowMs);
          return answer();
        case 'too_many':
          return tooMany();
        case 'too_many_later':
          return tooMany({ 'retry-after': String(RETRY_AFTER_SECONDS) });
        case 'server_error':
          return json(500, { code: 'INTERNAL_SERVER_ERROR', message: 'Internal server error' });
        case 'html_page':
          // What a gateway or a proxy shows people, with the status of success.
          return html(200, '<!doctype html><title>Sorry</title><h1>Sorry, there is a problem with the service</h1>');
        case 'wrong_types':
          return changed(await answer(), withWrongTypes);
        case 'missing_fields':
          return changed(await answer(), withMissingFields);
        case 'cut_off': {
          const real = await answer();
          const headers = new Headers(real.headers);
          headers.set(STATUS_MEANT, String(real.status));
          return new Response(await real.arrayBuffer(), { status: CUT_HALFWAY, headers });
        }
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

function tooMany(headers: Record<string, string> = {}): Response {
  const message = 'The request for the API is throttled as you have exceeded your quota.';
  return json(429, { code: 'MESSAGE_THROTTLED_OUT', message }, headers);
}

/** The same answer, whole and readable, with another body; what is no JSON stays as it is. */
async function changed(real: Response, change: (body: unknown) => unknown): Promise<Response> {
  const text = await real.text();
  const headers = new Headers(real.headers);
  headers.delete('content-length');
  try {
    return new Response(JSON.stringify(change(JSON.parse(text))), { status: real.status, headers });
  } catch {
    return new Response(text, { status: real.status, headers });
  }
}

/** Numbers as texts, texts as numbers, lists as objects. */
function withWrongTypes(value: unknown): unknown {
  if (typeof value === 'number') return `${value}`;
  if (typeof value === 'string') return 7;
  if (Array.isArray(value)) return { ...value.map(withWrongTypes) };
  return mapFields(value, ([name, field]) => [[name, withWrongTypes(field)]]);
}

/** The innermost objects lose their first field; an empty answer loses nothing. */
function withMissingFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMissingFields);
  if (typeof value !== 'object' || value === null) return value;
  const isInnermost = Object.values(value).every((field) => typeof field !== 'object' || field === null);
  let isFirst = true;
  return mapFields(value, ([name, field]) => {
    const isLost = isInnermost && isFirst;
    isFirst = false;
    return isLost ? [] : [[name, withMissingFields(field)]];
  });
}

function mapFields(value: unknown, change: (field: [string, unknown]) => [string, unknown][]): unknown {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value).flatMap(change)) : value;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
