/** What the double has counted since it was made. None of this is told by HMRC: whoever shakes the portal asks whether it kept its promises. */
import type { HmrcContext } from './hmrc-context.ts';

/** `throttled`: calls beyond the limit per second, not those refused by a fault on purpose. `refreshed`: refresh tokens taken; `refreshRefused`: spent or dead ones. */
export type HmrcStatistics = {
  readonly calls: number;
  readonly throttled: number;
  readonly refreshed: number;
  readonly refreshRefused: number;
};

type Counted = Exclude<keyof HmrcStatistics, 'calls'>;

/** Where all calls are counted (fraud-header-service.ts). */
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
