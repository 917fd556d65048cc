// Tests docs/product/specification.md section 4: "The snackbar default position is bottom-left; with an auto-hide time set, it resumes with
// half the time after refocus."
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Snackbar } from './snackbar.tsx';

function advance(milliseconds: number): void {
  act(() => {
    vi.advanceTimersByTime(milliseconds);
  });
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function show(autoHideMs?: number) {
  const onClose = vi.fn<() => void>();
  render(
    <Snackbar onClose={onClose} {...(autoHideMs === undefined ? {} : { autoHideMs })}>
      <div>A message</div>
    </Snackbar>,
  );
  return onClose;
}

describe('a snackbar', () => {
  it('is at the bottom left', () => {
    show();
    expect(screen.getByRole('presentation').className).toMatch(/bottom.*left/);
  });

  it('stays open without an auto-hide time', () => {
    const onClose = show();
    advance(60_000);
    expect(onClose).not.toHaveBeenCalled();
  });

  it('closes after its auto-hide time', () => {
    const onClose = show(2000);
    advance(1999);
    expect(onClose).not.toHaveBeenCalled();
    advance(1);
    expect(onClose).toHaveBeenCalledTimes(1);
  });

  it('pauses while the window is not focused and resumes with half the time', () => {
    const onClose = show(2000);
    advance(1900);
    fireEvent.blur(window);
    advance(10_000);
    expect(onClose).not.toHaveBeenCalled();
    fireEvent.focus(window);
    advance(999);
    expect(onClose).not.toHaveBeenCalled();
    advance(1);
    expect(onClose).toHaveBeenCalledTimes(1);
  });

  it('pauses while the pointer is over it', () => {
    const onClose = show(2000);
    fireEvent.mouseEnter(screen.getByRole('presentation'));
    advance(10_000);
    expect(onClose).not.toHaveBeenCalled();
    fireEvent.mouseLeave(screen.getByRole('presentation'));
    advance(1000);
    expect(onClose).toHaveBeenCalledTimes(1);
  });

  it('closes with Esc but not with a click outside', () => {
    const onClose = show(2000);
    fireEvent.click(document.body);
    expect(onClose).not.toHaveBeenCalled();
    fireEvent.keyDown(document, { key: 'Escape' });
    expect(onClose).toHaveBeenCalledTimes(1);
  });
});
