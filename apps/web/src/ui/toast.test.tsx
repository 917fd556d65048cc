// Tests docs/product/specification.md section 4, "Toast": success and error, 3000 ms by default, one at a time.
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ToastProvider, useToast } from './toast.tsx';

function Raiser() {
  const toast = useToast();
  return (
    <>
      <button type="button" onClick={() => toast('success', 'Saved')}>
        save
      </button>
      <button type="button" onClick={() => toast('error', 'Not saved')}>
        fail
      </button>
      <button type="button" onClick={() => toast('success', 'Brief', 1000)}>
        brief
      </button>
    </>
  );
}

/** Longer than the exit transition of a toast. */
const EXIT_MS = 400;

function advance(milliseconds: number): void {
  act(() => {
    vi.advanceTimersByTime(milliseconds);
  });
}
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

beforeEach(() => {
  vi.useFakeTimers();
  render(
    <ToastProvider>
      <Raiser />
    </ToastProvider>,
  );
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('a toast', () => {
  it('hides after 3000 ms', () => {
    press('save');
    advance(2999);
    expect(screen.getByText('Saved').closest('[role="status"]')).not.toBeNull();
    advance(1);
    advance(EXIT_MS);
    expect(screen.queryByText('Saved')).toBeNull();
  });

  it('hides after the given time', () => {
    press('brief');
    advance(999);
    expect(screen.queryByText('Brief')).not.toBeNull();
    advance(1);
    advance(EXIT_MS);
    expect(screen.queryByText('Brief')).toBeNull();
  });

  it('is an alert if it is an error', () => {
    press('fail');
    expect(screen.getByText('Not saved').closest('[role="alert"]')).not.toBeNull();
  });

  it('waits for the previous toast and then has its full time', () => {
    press('save');
    press('fail');
    expect(screen.queryByText('Not saved')).toBeNull();
    advance(3000);
    advance(EXIT_MS);
    expect(screen.queryByText('Saved')).toBeNull();
    advance(2500);
    expect(screen.queryByText('Not saved')).not.toBeNull();
    advance(500);
    advance(EXIT_MS);
    expect(screen.queryByText('Not saved')).toBeNull();
  });

  it('is at the top centre', () => {
    press('save');
    expect(screen.getByRole('presentation').className).toMatch(/top.*center/);
  });
});
