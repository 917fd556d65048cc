/** Counters since the simulator was created, for the portal's fault-injection tests. HMRC has no equivalent. */
import type { HmrcContext } from './hmrc-context.ts';

/**
 * `throttled` counts calls above the limit per second, excluding injected faults. `refreshed` counts accepted refresh tokens.
 * `refreshRefused` counts rejected ones, which were used or expired.
 */
export type HmrcStatistics = {
  readonly calls: number;
  readonly throttled: number;
  readonly refreshed: number;
  readonly refreshRefused: number;
};

type CounterName = Exclude<keyof HmrcStatistics, 'calls'>;

/** The total number of calls, counted in fraud-header-service.ts. */
export const CALL_COUNT_KEY = 'calls_counted';

export function incrementCount({ records }: HmrcContext, counter: CounterName): void {
  const key = `counted ${counter}`;
  records.settings.put(key, Number(records.settings.get(key) ?? 0) + 1);
}

export function readStatistics({ records }: HmrcContext): HmrcStatistics {
  const readCount = (counter: CounterName): number => Number(records.settings.get(`counted ${counter}`) ?? 0);
  return {
    calls: Number(records.settings.get(CALL_COUNT_KEY) ?? 0),
    throttled: readCount('throttled'),
    refreshed: readCount('refreshed'),
    refreshRefused: readCount('refreshRefused'),
  };
}
