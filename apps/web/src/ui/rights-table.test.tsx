import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { RightsTable } from './rights-table.tsx';

function openTable(isPhone: boolean, roleCount: number): void {
  vi.stubGlobal('matchMedia', (media: string) => ({
    matches: isPhone && media !== 'not all',
    media,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  const roles = [
    { key: 'owner', name: 'Owner', isOwn: true },
    { key: 'bookkeeper', name: 'Bookkeeper' },
    { key: 'viewer', name: 'Viewer' },
  ];
  render(
    <RightsTable
      label="Rights"
      roles={roles.slice(0, roleCount)}
      rights={[{ name: 'File returns', cells: [true, 'If permitted', false].slice(0, roleCount) }]}
    />,
  );
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('has a column for each role, with the user’s own marked', () => {
  openTable(false, 3);
  const rows = within(screen.getByRole('table', { name: 'Rights' })).getAllByRole('row');
  expect(rows.map((row) => row.textContent?.trim())).toEqual(['PermissionOwner (you) Bookkeeper Viewer', 'File returnsYesIf permitted–No']);
});

it('lists on a phone the roles that have each right', () => {
  openTable(true, 3);
  expect(screen.queryByRole('table')).toBeNull();
  expect(screen.getByRole('listitem').textContent).toBe('File returnsOwner (you)YesBookkeeperIf permitted');
});

it('stays a table on a phone where the roles fit', () => {
  openTable(true, 2);
  expect(screen.getByRole('table', { name: 'Rights' })).toBeTruthy();
});
