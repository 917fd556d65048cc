// docs/product/specification.md section 4, "Notification dialog": error (default) and loading, when it cannot be closed, and hiding it.
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useEffect } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NotificationDialogProvider, useNotificationDialog, type Notification } from './notification-dialog.tsx';

type Control = ReturnType<typeof useNotificationDialog>;
let control: Control;
const keep = (given: Control) => {
  control = given;
};

function User({ onReady }: { onReady: (given: Control) => void }) {
  const given = useNotificationDialog();
  useEffect(() => onReady(given), [onReady, given]);
  return null;
}

const shown = (notification: Notification) => act(() => control.show(notification));
/** Waits for the exit transition of 200 ms. */
const settle = () =>
  act(() => {
    vi.advanceTimersByTime(500);
  });
const dialog = () => screen.queryByRole('dialog');
const pressEscape = () => fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
const clickBeside = () => {
  const beside = document.querySelector('.MuiDialog-container');
  if (beside === null) throw new Error('no dialog');
  fireEvent.mouseDown(beside);
  fireEvent.click(beside);
};

beforeEach(() => {
  vi.useFakeTimers();
  render(
    <NotificationDialogProvider>
      <User onReady={keep} />
    </NotificationDialogProvider>,
  );
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('notification dialog', () => {
  it('has the error status by default and a name', () => {
    shown({ heading: 'HMRC did not answer', content: 'Nothing was filed.' });
    expect(screen.getByRole('dialog', { name: 'HMRC did not answer' }).textContent).toContain('Nothing was filed.');
    expect(screen.getByRole('alert')).toBeDefined();
  });

  it.each([
    ['Esc', pressEscape],
    ['a click beside it', clickBeside],
    ['its icon', () => fireEvent.click(screen.getByLabelText('Close'))],
  ])('closes an error with %s', (_name, close) => {
    shown({ heading: 'An error' });
    close();
    settle();
    expect(dialog()).toBeNull();
  });

  it.each([
    ['while it loads', { heading: 'Filing', status: 'loading' as const }],
    ['where it blocks closing', { heading: 'An error', blocksClosing: true }],
  ])('cannot be closed %s, but can be hidden', (_name, notification) => {
    shown(notification);
    pressEscape();
    clickBeside();
    settle();
    expect(dialog()).not.toBeNull();
    expect(screen.queryByRole('button')).toBeNull();
    act(() => control.hide());
    settle();
    expect(dialog()).toBeNull();
  });

  it('can be closed once a loading dialog changes to an error', () => {
    shown({ heading: 'Filing', status: 'loading' });
    shown({ heading: 'Not filed' });
    pressEscape();
    settle();
    expect(dialog()).toBeNull();
  });
});
