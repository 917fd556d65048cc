// Tests logging out: local storage is cleared first, then the session ends (docs/product/specification.md section 4, "Log out").
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { LogoutScreen } from './logout-screen.tsx';

function open(): void {
  const router = createMemoryRouter(
    [
      { path: '/logout', Component: LogoutScreen },
      { path: '/login', element: <h1>Log in</h1> },
    ],
    { initialEntries: ['/logout'] },
  );
  render(
    <AppProviders>
      <RouterProvider router={router} />
    </AppProviders>,
  );
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
});

describe('logging out', () => {
  it('clears browser storage before the request to the server, then opens the login page', async () => {
    localStorage.setItem('g-company', '{"companyId":"c1"}');
    sessionStorage.setItem('instant-vat-email', 'tessa@brightwell.example');
    const storedAtRequest: number[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      if (url === '/portal/v2/logout') storedAtRequest.push(localStorage.length + sessionStorage.length);
      return new Response('{"done":true}', { status: 200 });
    });
    open();
    expect(await screen.findByRole('heading', { name: 'Log in' })).toBeTruthy();
    expect(storedAtRequest).toEqual([0]);
  });

  it('says when logging out may have failed, and tries again', async () => {
    const responses = [500, 200];
    vi.stubGlobal('fetch', async () => new Response('{"done":true}', { status: responses.shift() ?? 200 }));
    open();
    expect(await screen.findByText('You may still be logged in')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Log out again' }));
    expect(await screen.findByRole('heading', { name: 'Log in' })).toBeTruthy();
  });
});
