/** Counters of the simulator since it was created, for fault-injection tests of the portal. HMRC has nothing like it. */
import type { HmrcContext } from './hmrc-context.ts';

/**
 * `throttled`: calls above the limit per second, without injected faults. `refreshed`: accepted refresh tokens. `refreshRefused`: used or
 * expired ones.
 */
export type HmrcStatistics = {
  readonly calls: number;
  readonly throttled: number;
  readonly refreshed: number;
  readonly refreshRefused: number;
};

type Counted = Exclude<keyof HmrcStatistics, 'calls'>;

/** The total number of calls, counted in fraud-header-service.ts. */
export const CALLS_COUNTED = 'calls_counted';

export function countUp({ records }: HmrcContext, what: Counted): void {
  const key = `counted ${what}`;
  records.settings.put(key, Number(records.settings.get(key) ?? 0) + 1);
}

export function readStatistics({ records }: HmrcContext): HmrcStatistics {
  const counted = (what: Counted): number => Number(records.settings.get(`counted ${what}`) ?? 0);
  return {
    calls: Number(records.settings.get(CALLS_COUNTED) ?? 0),
    throttled: counted('throttled'),
    refreshed: counted('refreshed'),
    refreshRefused: counted('refreshRefused'),
  };
}
