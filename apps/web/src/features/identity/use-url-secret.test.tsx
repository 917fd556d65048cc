import { cleanup, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, describe, expect, it } from 'vitest';
import { useUrlSecret } from './use-url-secret.ts';

function Probe() {
  return <p>secret: {useUrlSecret('token')}</p>;
}

afterEach(cleanup);

describe('a secret in the URL', () => {
  it('is removed at once, leaves the other parameters, and stays with the page', async () => {
    const router = createMemoryRouter([{ path: '/link', Component: Probe }], { initialEntries: ['/link?token=abc&utm_source=x'] });
    render(<RouterProvider router={router} />);
    await expect.poll(() => router.state.location.search).toBe('?utm_source=x');
    expect(screen.getByText('secret: abc')).toBeDefined();
    expect(router.state.location.state).toEqual({ token: 'abc' });
  });

  it('is empty when missing, whatever else the page’s state contains', () => {
    const router = createMemoryRouter([{ path: '/link', Component: Probe }], {
      initialEntries: [{ pathname: '/link', state: { token: 7 } }],
    });
    render(<RouterProvider router={router} />);
    expect(screen.getByText('secret:')).toBeDefined();
  });
});
