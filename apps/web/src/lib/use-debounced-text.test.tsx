// Tests docs/product/specification.md section 9: "Debounce default: 166 ms".
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useDebouncedText } from './use-debounced-text.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function wait(milliseconds: number): void {
  act(() => {
    vi.advanceTimersByTime(milliseconds);
  });
}

describe('a debounced text', () => {
  it.each([
    ['by default', undefined, 166],
    ['when asked for another time', 500, 500],
  ])('is updated after the delay %s', (_name, delay, delayMs) => {
    const { result, rerender } = renderHook(({ text }) => useDebouncedText(text, delay), { initialProps: { text: 'b' } });
    rerender({ text: 'br' });
    wait(delayMs - 1);
    expect(result.current).toBe('b');
    wait(1);
    expect(result.current).toBe('br');
  });

  it('restarts the delay with each change', () => {
    const { result, rerender } = renderHook(({ text }) => useDebouncedText(text), { initialProps: { text: 'b' } });
    rerender({ text: 'br' });
    wait(100);
    rerender({ text: 'bri' });
    wait(165);
    expect(result.current).toBe('b');
    wait(1);
    expect(result.current).toBe('bri');
  });
});
