/** Allows each key 600 calls in five minutes, counted across restarts. The window starts with the first call. */
import { toEpochMs, type Clock } from '@portal/domain/clock.ts';
import type { SimulatorStore } from '../simulator/simulator-store.ts';

export const CALLS_ALLOWED = 600;
const WINDOW_MS = 300_000;

type CallWindow = { readonly startedAtMs: number; readonly calls: number };

export type RateWindow = {
  /** Counts a call and returns the headers for its response. */
  count(): { readonly isOver: boolean; readonly headers: Record<string, string> };
  calls(): number;
};

export function openRateWindow(store: SimulatorStore, clock: Clock): RateWindow {
  const windows = store.collection<CallWindow>('companies_house.windows');
  const getCurrentWindow = (nowMs: number): CallWindow => {
    const currentWindow = windows.get('current');
    const isOpen = currentWindow !== undefined && nowMs >= currentWindow.startedAtMs && nowMs < currentWindow.startedAtMs + WINDOW_MS;
    return isOpen ? currentWindow : { startedAtMs: nowMs, calls: 0 };
  };
  return {
    count: () =>
      store.atomically(() => {
        const window = getCurrentWindow(toEpochMs(clock.now()));
        const calls = window.calls + 1;
        windows.put('current', { ...window, calls });
        return {
          isOver: calls > CALLS_ALLOWED,
          headers: {
            'x-ratelimit-limit': String(CALLS_ALLOWED),
            'x-ratelimit-remain': String(Math.max(0, CALLS_ALLOWED - calls)),
            'x-ratelimit-reset': String(Math.ceil((window.startedAtMs + WINDOW_MS) / 1000)),
            'x-ratelimit-window': '5m',
          },
        };
      }),
    calls: () => getCurrentWindow(toEpochMs(clock.now())).calls,
  };
}
