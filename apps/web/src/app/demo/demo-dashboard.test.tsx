// Tests the demo's screens together: their URLs, and a refund that HMRC paid in part.
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { findStory } from '../../features/demo/list-stories.ts';
import { AppProviders } from '../../core/app-providers.tsx';
import { DemoDashboard } from './demo-dashboard.tsx';
import { DemoRouter } from './demo-router.tsx';

const openSignUp = vi.fn<() => void>();

function open(address: string, storyKey = 'normal-refund') {
  const story = findStory(storyKey);
  const element = (
    <DemoRouter story={story}>
      <DemoDashboard story={story} choose={() => undefined} openSignUp={openSignUp} />
    </DemoRouter>
  );
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: [address] });
  render(
    <AppProviders>
      <RouterProvider router={router} />
    </AppProviders>,
  );
  return router;
}

afterEach(cleanup);

describe('demo', () => {
  it('stores its date in the URL and continues there', async () => {
    const router = open('/v2/instant-vat/demo');
    fireEvent.click(await screen.findByRole('button', { name: /Next: / }));
    await expect.poll(() => router.state.location.search).toBe('?at=20261103T101205Z');
    expect(router.state.historyAction).toBe('REPLACE');
    cleanup();
    open(`/v2/instant-vat/demo${router.state.location.search}`);
    expect((await screen.findByRole('region', { name: 'The demo’s clock' })).textContent).toContain('you get an offer');
  });

  it.each([
    ['adjusted-refund', '20261128T063000Z', /HMRC has repaid £11,105.55 of the £12,340.55 that you claimed/],
    ['normal-refund', '20261128T063000Z', /HMRC has repaid £12,340.55\./],
    ['normal-refund', '20261110T063000Z', /HMRC owes £12,340.55, and you’ve accepted our offer/],
  ])('shows on the return what HMRC paid: %s at %s', async (story, at, sentence) => {
    open(`/v2/instant-vat/demo/vat-return?story=${story}&at=${at}`, story);
    expect(await screen.findByText(sentence)).toBeTruthy();
  });

  it('offers to sign up where an account is needed', async () => {
    open('/v2/instant-vat/demo/your-own-account');
    fireEvent.click(await screen.findByRole('button', { name: 'Sign up' }));
    expect(openSignUp).toHaveBeenCalledOnce();
  });
});
