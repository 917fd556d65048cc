// Tests that a page's screen starts loading while the user is pointing at its link, so that it opens without a wait.
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { getLoadedScreen } from './load-screen.ts';
import { preloadScreens } from './preload-screens.ts';

beforeAll(preloadScreens);
afterEach(() => document.body.replaceChildren());

function pointAt(href: string): void {
  const link = Object.assign(document.createElement('a'), { href });
  document.body.append(link);
  link.dispatchEvent(new Event('pointerover', { bubbles: true }));
}

it('loads the screen of a page of the portal, and nothing for other links', async () => {
  pointAt('https://www.gov.uk/portal/contact');
  pointAt('/elsewhere');
  expect(getLoadedScreen('contact')).toBeUndefined();
  pointAt('/portal/contact');
  await vi.waitFor(() => expect(getLoadedScreen('contact')).toBeTypeOf('function'));
});
