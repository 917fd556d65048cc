// Tests docs/product/specification.md sections 2.6 ("Modal dialog") and 9 ("Dialog close animation delay: 200 ms").
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ModalDialog } from './modal-dialog.tsx';

/** Responds to media queries like a screen of that width. */
function setScreenWidth(width: number): void {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('max-width') && width <= Number(/max-width:\s*([\d.]+)px/.exec(query)?.[1]),
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
}

function advance(milliseconds: number): void {
  act(() => {
    vi.advanceTimersByTime(milliseconds);
  });
}

type DialogProps = Omit<ComponentProps<typeof ModalDialog>, 'heading' | 'onClose' | 'children'>;

function show(props: DialogProps) {
  const onClose = vi.fn<() => void>();
  const createDialog = (props: DialogProps) => (
    <ModalDialog heading="Box 4" onClose={onClose} {...props}>
      Content
    </ModalDialog>
  );
  const { rerender } = render(createDialog(props));
  return { onClose, change: (props: DialogProps) => rerender(createDialog(props)) };
}

const getDialogPanel = () => {
  const element = document.querySelector<HTMLElement>('[role=dialog]');
  if (element === null) throw new Error('no dialog');
  return element;
};

function swipeDown(distance: number): void {
  const heading = screen.getByRole('heading').parentElement;
  if (heading === null) throw new Error('no heading');
  heading.setPointerCapture = () => undefined;
  fireEvent.pointerDown(heading, { clientY: 300, pointerType: 'touch' });
  fireEvent.pointerMove(heading, { clientY: 300 + distance });
  fireEvent.pointerUp(heading);
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('a modal dialog', () => {
  it('is named by its heading and closes with its icon', () => {
    const { onClose } = show({ open: true });
    expect(screen.getByRole('dialog', { name: 'Box 4' })).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(onClose).toHaveBeenCalledTimes(1);
  });

  it.each([true, false])('has the class of its size (small: %s), whose width a journey measures', (small) => {
    setScreenWidth(1440);
    show({ open: true, small });
    expect(getDialogPanel().className.includes('small')).toBe(small);
  });

  it('shows a help icon only if help is given', () => {
    const onHelp = vi.fn<() => void>();
    const { change } = show({ open: true });
    expect(screen.queryByRole('button', { name: 'Help' })).toBeNull();
    change({ open: true, onHelp });
    fireEvent.click(screen.getByRole('button', { name: 'Help' }));
    expect(onHelp).toHaveBeenCalledTimes(1);
  });

  it('is busy while loading and cannot be closed', () => {
    const { onClose } = show({ open: true, loading: true });
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Close' }).disabled).toBe(true);
    expect(document.querySelector('[aria-busy="true"]')).not.toBeNull();
    expect(onClose).not.toHaveBeenCalled();
  });

  it('disappears when it is closed', () => {
    const { change } = show({ open: true });
    change({ open: false });
    advance(200);
    expect(screen.queryByText('Content')).toBeNull();
  });
});

describe('below md, as a sheet', () => {
  beforeEach(() => setScreenWidth(899));

  it('is a sheet even if it is small', () => {
    show({ open: true, small: true });
    expect(getDialogPanel().className).toContain('sheet');
    expect(getDialogPanel().className).not.toContain('small');
  });

  it('follows a swipe down and closes after 300 ms', () => {
    const { onClose } = show({ open: true });
    swipeDown(150);
    advance(299);
    expect(onClose).not.toHaveBeenCalled();
    expect(getDialogPanel().style.transition).toBe('transform 300ms');
    advance(1);
    expect(onClose).toHaveBeenCalledTimes(1);
  });

  it('returns after a short swipe', () => {
    const { onClose } = show({ open: true });
    swipeDown(40);
    advance(1000);
    expect(onClose).not.toHaveBeenCalled();
    expect(getDialogPanel().style.transform).toBe('');
  });

  it.each([
    ['while it works', { loading: true }],
    ['if only its opener can close it', { closable: false }],
  ])('does not follow a swipe %s', (_name, props) => {
    const { onClose } = show({ open: true, ...props });
    swipeDown(300);
    advance(1000);
    expect(onClose).not.toHaveBeenCalled();
    expect(getDialogPanel().style.transform).toBe('');
  });

  it('is not a sheet from md', () => {
    cleanup();
    setScreenWidth(900);
    const { onClose } = show({ open: true });
    swipeDown(300);
    advance(1000);
    expect(onClose).not.toHaveBeenCalled();
  });
});
