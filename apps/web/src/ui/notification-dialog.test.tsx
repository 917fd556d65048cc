// Tests docs/product/specification.md section 4, "Notification dialog": error (default) and loading, when it can't be closed, and hiding
// it.
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useEffect } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NotificationDialogProvider, useNotificationDialog, type Notification } from './notification-dialog.tsx';

type DialogControl = ReturnType<typeof useNotificationDialog>;
let control: DialogControl;
const setControl = (current: DialogControl) => {
  control = current;
};

function ControlProbe({ onReady }: { onReady: (current: DialogControl) => void }) {
  const current = useNotificationDialog();
  useEffect(() => onReady(current), [onReady, current]);
  return null;
}

/** The dialog's code is loaded when it is first shown. */
const showInAct = async (notification: Notification) => {
  act(() => control.show(notification));
  await act(async () => {
    await import('./notification-window.tsx');
  });
};
/** Waits for the exit transition of 200 ms. */
const waitForExit = () =>
  act(() => {
    vi.advanceTimersByTime(500);
  });
const findDialog = () => screen.queryByRole('dialog');
const pressEscape = () => fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
const clickOutside = () => {
  const container = document.querySelector('[role=dialog]')?.parentElement ?? null;
  if (container === null) throw new Error('no dialog');
  fireEvent.mouseDown(container);
  fireEvent.click(container);
};

beforeEach(() => {
  vi.useFakeTimers();
  render(
    <NotificationDialogProvider>
      <ControlProbe onReady={setControl} />
    </NotificationDialogProvider>,
  );
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('a notification dialog', () => {
  it('has the error status by default and a name', async () => {
    await showInAct({ heading: 'HMRC did not answer', content: 'Nothing was filed.' });
    expect(screen.getByRole('dialog', { name: 'HMRC did not answer' }).textContent).toContain('Nothing was filed.');
    expect(screen.getByRole('alert')).toBeDefined();
  });

  it.each([
    ['Esc', pressEscape],
    ['a click beside it', clickOutside],
    ['its icon', () => fireEvent.click(screen.getByLabelText('Close'))],
  ])('closes an error with %s', async (_name, close) => {
    await showInAct({ heading: 'An error' });
    close();
    waitForExit();
    expect(findDialog()).toBeNull();
  });

  it.each([
    ['while it loads', { heading: 'Filing', status: 'loading' as const }],
    ['where it blocks closing', { heading: 'An error', blocksClosing: true }],
  ])('cannot be closed %s, but can be hidden', async (_name, notification) => {
    await showInAct(notification);
    pressEscape();
    clickOutside();
    waitForExit();
    expect(findDialog()).not.toBeNull();
    expect(screen.queryByRole('button')).toBeNull();
    act(() => control.hide());
    waitForExit();
    expect(findDialog()).toBeNull();
  });

  it('can be closed once a loading dialog changes to an error', async () => {
    await showInAct({ heading: 'Filing', status: 'loading' });
    await showInAct({ heading: 'Not filed' });
    pressEscape();
    waitForExit();
    expect(findDialog()).toBeNull();
  });
});
