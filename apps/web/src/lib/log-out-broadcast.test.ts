import { expect, it, vi } from 'vitest';
import { notifyOtherTabsOfLogOut, onLogOutInOtherTab } from './log-out-broadcast.ts';

it('a log-out notifies every other tab, until it stops listening', async () => {
  const heard = [vi.fn<() => void>(), vi.fn<() => void>(), vi.fn<() => void>()] as const;
  const stops = heard.map((hear) => onLogOutInOtherTab(hear));
  stops[2]?.();
  notifyOtherTabsOfLogOut();
  await expect.poll(() => heard[0].mock.calls.length).toBe(1);
  await expect.poll(() => heard[1].mock.calls.length).toBe(1);
  expect(heard[2]).not.toHaveBeenCalled();
  for (const stop of stops) stop();
});

it('a browser without BroadcastChannel can still log out', () => {
  vi.stubGlobal('BroadcastChannel', undefined);
  const hear = vi.fn<() => void>();
  const stop = onLogOutInOtherTab(hear);
  expect(() => notifyOtherTabsOfLogOut()).not.toThrow();
  stop();
  expect(hear).not.toHaveBeenCalled();
  vi.unstubAllGlobals();
});
