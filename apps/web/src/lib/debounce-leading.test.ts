import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { debounceLeading } from './debounce-leading.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('debounceLeading', () => {
  it('runs the first call at once and drops those within the delay', () => {
    const run = vi.fn<() => void>();
    const debounced = debounceLeading(run, 1000);
    debounced();
    vi.advanceTimersByTime(900);
    debounced();
    vi.advanceTimersByTime(900);
    debounced();
    vi.advanceTimersByTime(5000);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('runs again once there was no call for the delay', () => {
    const run = vi.fn<() => void>();
    const debounced = debounceLeading(run, 1000);
    debounced();
    vi.advanceTimersByTime(1000);
    debounced();
    expect(run).toHaveBeenCalledTimes(2);
  });
});
