import { expect, it, vi } from 'vitest';
import { notifyOtherTabsOfLogOut, onLogOutInOtherTab } from './log-out-broadcast.ts';

it('a log-out notifies every other tab, until it stops listening', async () => {
  const listeners = [vi.fn<() => void>(), vi.fn<() => void>(), vi.fn<() => void>()] as const;
  const stops = listeners.map((listener) => onLogOutInOtherTab(listener));
  stops[2]?.();
  notifyOtherTabsOfLogOut();
  await expect.poll(() => listeners[0].mock.calls.length).toBe(1);
  await expect.poll(() => listeners[1].mock.calls.length).toBe(1);
  expect(listeners[2]).not.toHaveBeenCalled();
  for (const stop of stops) stop();
});

it('a browser without BroadcastChannel can still log out', () => {
  vi.stubGlobal('BroadcastChannel', undefined);
  const listener = vi.fn<() => void>();
  const stop = onLogOutInOtherTab(listener);
  expect(() => notifyOtherTabsOfLogOut()).not.toThrow();
  stop();
  expect(listener).not.toHaveBeenCalled();
  vi.unstubAllGlobals();
});
