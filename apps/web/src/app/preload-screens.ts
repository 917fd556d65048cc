import { PORTAL_BASE } from '../lib/settings.ts';
import { isScreenName, loadScreen } from './load-screen.ts';
import { findShownPage } from './screen-at-path.tsx';

/** Starts loading a page's screen when the user points at a link to it, moves the focus to the link or presses it. */
export function preloadScreens(): void {
  for (const event of ['pointerover', 'focusin', 'pointerdown']) document.addEventListener(event, preloadTarget, { passive: true });
}

function preloadTarget({ target }: Event): void {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
  if (link?.origin !== location.origin || !link.pathname.startsWith(`${PORTAL_BASE}/`)) return;
  const page = findShownPage(link.pathname.slice(PORTAL_BASE.length));
  // A failure is shown when the page is opened.
  if (page !== undefined && isScreenName(page.name)) loadScreen(page.name).catch(() => undefined);
}
