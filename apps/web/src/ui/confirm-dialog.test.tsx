import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ConfirmDialog } from './confirm-dialog.tsx';

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
  Element.prototype.scrollIntoView = () => undefined;
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(mutation: { isPending: boolean; error: Error | null }) {
  const [onConfirm, onClose] = [vi.fn<() => void>(), vi.fn<() => void>()];
  render(
    <ConfirmDialog
      heading="Delete the group?"
      mutation={mutation}
      onConfirm={onConfirm}
      onClose={onClose}
      confirmLabel="Delete"
      errorTitle="The group is still there"
    >
      You can’t undo this.
    </ConfirmDialog>,
  );
  return { onConfirm, onClose };
}

it('sends the request only when its button is pressed', () => {
  const { onConfirm, onClose } = show({ isPending: false, error: null });
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect([onConfirm.mock.calls.length, onClose.mock.calls.length]).toEqual([0, 1]);
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
  expect(onConfirm).toHaveBeenCalledOnce();
});

it('can’t be confirmed twice or closed while the request is being sent', () => {
  const { onConfirm, onClose } = show({ isPending: true, error: null });
  for (const button of screen.getAllByRole('button')) fireEvent.click(button);
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
  expect([onConfirm.mock.calls.length, onClose.mock.calls.length]).toEqual([0, 0]);
});

it('says what an error means', () => {
  show({ isPending: false, error: new Error('Someone has changed it.') });
  expect(screen.getByRole('alert').textContent).toContain('The group is still there');
});
