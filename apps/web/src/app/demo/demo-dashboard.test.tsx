// Tests the demo's screens together: their URLs, and a refund that HMRC repaid in part.
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { findStory } from '../../features/demo/list-stories.ts';
import { AppProviders } from '../../core/app-providers.tsx';
import { createAppHistory } from '../../lib/app-history.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { AppRouter } from '../app-router.tsx';
import { DemoDashboard } from './demo-dashboard.tsx';
import { DemoRouter } from './demo-router.tsx';

const openSignUp = vi.fn<() => void>();

function open(address: string, storyKey = 'normal-refund') {
  const story = findStory(storyKey);
  window.history.replaceState(null, '', `${PORTAL_BASE}${address}`);
  const appHistory = createAppHistory();
  render(
    <AppProviders>
      <AppRouter history={appHistory}>
        <DemoRouter story={story}>
          <DemoDashboard story={story} choose={() => undefined} openSignUp={openSignUp} />
        </DemoRouter>
      </AppRouter>
    </AppProviders>,
  );
  return appHistory;
}

afterEach(cleanup);

describe('the demo', () => {
  it('stores its date in the URL and continues there', async () => {
    const appHistory = open('/v2/instant-vat/demo');
    fireEvent.click(await screen.findByRole('button', { name: /Next: / }));
    await expect.poll(() => appHistory.current().location.search).toBe('?at=20261103T101205Z');
    expect(appHistory.current().type).toBe('REPLACE');
    cleanup();
    open(`/v2/instant-vat/demo${appHistory.current().location.search}`);
    expect((await screen.findByRole('region', { name: 'The demo’s clock' })).textContent).toContain('you get an offer');
  });

  it.each([
    ['adjusted-refund', '20261128T063000Z', /HMRC has repaid £11,105.55 of the £12,340.55 you claimed/],
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
