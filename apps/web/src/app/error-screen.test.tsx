// A screen that couldn't be loaded isn't a bug: being offline is a designed state.
import { act, cleanup, render, screen } from '@testing-library/react';
import { lazy } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AppProviders } from '../core/app-providers.tsx';
import { ErrorBoundary } from './error-boundary.tsx';

function openPageThatFailsWith(error: Error): void {
  const Screen = lazy(() => Promise.reject<{ default: () => null }>(error));
  render(
    <AppProviders>
      <MemoryRouter>
        <ErrorBoundary>
          <Screen />
        </ErrorBoundary>
      </MemoryRouter>
    </AppProviders>,
  );
}

const stubOnline = (isOnline: boolean) => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const CHUNK_LOAD_ERRORS = [
  ['Chromium', 'Failed to fetch dynamically imported module: https://portal.example/portal/assets/a.js'],
  ['Firefox', 'error loading dynamically imported module: https://portal.example/portal/assets/a.js'],
  ['Safari', 'Importing a module script failed.'],
  ['Vite, of a style sheet', 'Unable to preload CSS for /portal/assets/a.css'],
] as const;

describe('a screen that failed to load', () => {
  it.each(CHUNK_LOAD_ERRORS)('says that the browser is offline while it is (%s)', async (_, message) => {
    stubOnline(false);
    openPageThatFailsWith(new TypeError(message));
    expect(await screen.findByRole('heading', { level: 1, name: 'You’re offline' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Reload this page' })).toBeNull();
  });

  it.each(CHUNK_LOAD_ERRORS)('offers to reload while online (%s)', async (_, message) => {
    stubOnline(true);
    openPageThatFailsWith(new TypeError(message));
    expect(await screen.findByRole('heading', { level: 1, name: 'We couldn’t load this page' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Reload this page' })).toBeTruthy();
  });

  it('doesn’t deny what was just filed, because the next screen may be the one that fails', async () => {
    openPageThatFailsWith(new RangeError('A fault of the screen'));
    await screen.findByRole('heading', { level: 1, name: 'Sorry, there’s a problem with this page' });
    expect(document.body.textContent).toContain('so is everything you’ve filed or accepted');
    expect(document.body.textContent).not.toMatch(/nothing was filed/i);
  });

  it('offers to reload once the network is back', async () => {
    const online = stubOnline(false);
    openPageThatFailsWith(new TypeError(CHUNK_LOAD_ERRORS[0][1]));
    await screen.findByRole('heading', { level: 1, name: 'You’re offline' });
    online.mockReturnValue(true);
    act(() => void dispatchEvent(new Event('online')));
    expect(await screen.findByRole('heading', { level: 1, name: 'We couldn’t load this page' })).toBeTruthy();
  });
});

it('a screen that fails to render reports an error of ours, online or not', async () => {
  stubOnline(false);
  openPageThatFailsWith(new TypeError("Cannot read properties of undefined (reading 'map')"));
  expect(await screen.findByRole('heading', { level: 1, name: 'Sorry, there’s a problem with this page' })).toBeTruthy();
});
