// Tests that a new page receives the focus, but doesn't take it from a dialog opened while the page was loading.
import { act, cleanup, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Page } from './page.tsx';

const router = () =>
  createMemoryRouter(
    ['clients', 'calendar'].map((path) => ({
      path: `/${path}`,
      element: <Page title={path}>Content</Page>,
    })),
    { initialEntries: ['/clients'] },
  );

beforeEach(() => void vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined));
afterEach(cleanup);

it('the heading of a new page takes the focus', async () => {
  const pages = router();
  render(<RouterProvider router={pages} />);
  await act(() => pages.navigate('/calendar'));
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'calendar' }));
});

it('a field of a dialog keeps the focus', async () => {
  const pages = router();
  render(<RouterProvider router={pages} />);
  const dialog = document.body.appendChild(document.createElement('div'));
  dialog.setAttribute('role', 'dialog');
  const field = dialog.appendChild(document.createElement('input'));
  field.focus();
  await act(() => pages.navigate('/calendar'));
  expect(document.activeElement).toBe(field);
  dialog.remove();
});
