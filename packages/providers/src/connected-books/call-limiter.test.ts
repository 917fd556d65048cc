import { describe, expect, it } from 'vitest';
import { createCallLimiter } from './call-limiter.ts';

function createManualClock() {
  let now = 0;
  const clock = {
    now: () => now,
    pause: async (ms: number) => {
      now += ms;
    },
  };
  return { clock, advance: (ms: number) => (now += ms) };
}

/** Makes calls a tenth of a second apart, as if responses were arriving, and returns when each was sent, in seconds. */
async function callTimes(provider: 'xero' | 'quickbooks' | 'freeagent', count: number): Promise<number[]> {
  const { clock, advance } = createManualClock();
  const acquireSlot = createCallLimiter(provider, clock);
  const times: number[] = [];
  for (let call = 0; call < count; call += 1) {
    await acquireSlot();
    times.push(clock.now() / 1_000);
    advance(100);
  }
  return times;
}

describe('calls for one organisation', () => {
  it.each([
    ['xero', 60],
    ['quickbooks', 500],
    ['freeagent', 120],
  ] as const)('of %s never exceed %i in any minute, and use that limit fully', async (provider, limit) => {
    const times = await callTimes(provider, limit * 3);
    const callsPerMinute = times.map((from) => times.filter((at) => at >= from && at < from + 60).length);
    expect(Math.max(...callsPerMinute)).toBe(limit);
  });

  it('are rejected when the day’s limit is used up, with the time to continue', async () => {
    await expect(callTimes('xero', 5_001)).rejects.toMatchObject({
      failure: 'throttled',
      facts: { retryAfterSeconds: expect.any(Number) },
    });
  });
});
