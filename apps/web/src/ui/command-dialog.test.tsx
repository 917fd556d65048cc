// Tests that Enter runs the first command, even before it is highlighted, or the command chosen with the arrow keys.
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { CommandDialog } from './command-dialog.tsx';

let ranCommands: string[] = [];

function renderDialog(labels: readonly string[]): HTMLElement {
  const items = labels.map((label) => ({ key: label, label, icon: 'person' as const, run: () => ranCommands.push(label) }));
  render(
    <CommandDialog
      heading="Search"
      placeholder="Name"
      text=""
      onType={() => undefined}
      groups={[{ value: 'Actions', items }]}
      announcement=""
      note={null}
      onClose={() => undefined}
    />,
  );
  return screen.getByRole('combobox');
}

afterEach(() => {
  cleanup();
  ranCommands = [];
});

it('Enter runs the first command once while none is highlighted yet', () => {
  const field = renderDialog(['Add a client', 'Import clients']);
  field.removeAttribute('aria-activedescendant');
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(ranCommands).toEqual(['Add a client']);
});

it('Enter runs the highlighted command once', async () => {
  const field = renderDialog(['Add a client', 'Import clients']);
  await act(async () => fireEvent.keyDown(field, { key: 'ArrowDown' }));
  await expect.poll(() => field.getAttribute('aria-activedescendant')).not.toBeNull();
  const highlightedLabel = document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent;
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(ranCommands).toEqual([highlightedLabel]);
});

it('Enter does nothing while nothing is found', () => {
  fireEvent.keyDown(renderDialog([]), { key: 'Enter' });
  expect(ranCommands).toEqual([]);
});
