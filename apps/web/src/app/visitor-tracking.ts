/** Pageviews and marketing tags, for the app and the landing page. */
import { createAnalytics, isTrackedPath, type Analytics } from '../lib/analytics.ts';
import { onConsentChange, readConsent, type ConsentChoices } from '../lib/consent.ts';
import { addTagsToLink, getSavedTags, saveTags, applyTagConsent, logFailure } from '../lib/marketing-tags.ts';
import { getAnalyticsScriptUrl, getAppHost, PORTAL_BASE } from '../lib/settings.ts';

let instance: Analytics | undefined;

function getAnalytics(): Analytics {
  const windowWithLayer = window as Window & { dataLayer?: unknown[] };
  instance ??= createAnalytics({
    scriptUrl: getAnalyticsScriptUrl(),
    hasConsent: () => readConsent()?.analytics === true,
    document,
    dataLayer: (windowWithLayer.dataLayer ??= []),
    origin: location.origin,
    reload: () => location.reload(),
  });
  return instance;
}

/** What is recorded about a page: its path in the contract, because the actual path could contain anything, even a token. */
export type VisitedRoute = { readonly pattern: string; readonly title: string };

/** Call when a route opens. `path` is below /portal. */
export function recordVisit(path: string, { pattern, title }: VisitedRoute): void {
  if (!isTrackedPath(path)) {
    // Someone opened /admin from within the app, so reload it without the container.
    if (getAnalytics().isRunning()) location.reload();
    return;
  }
  logFailure(() => {
    saveTags(location.search, readConsent()?.marketing === true);
    const currentUrl = `${location.pathname}${location.search}${location.hash}`;
    const taggedUrl = tagLink(currentUrl);
    if (taggedUrl !== currentUrl) history.replaceState(history.state, '', taggedUrl);
  });
  getAnalytics().visit(pattern, title);
}

function tagLink(link: string): string {
  return addTagsToLink(link, getSavedTags(), location.href, [location.origin, new URL(getAppHost()).origin]);
}

/** Tracks clicks and cookie choices. Returns a function that stops this. */
export function trackVisitor(onChoice: (choices: ConsentChoices) => void = () => undefined): () => void {
  const onClick = (event: Event): void => followLink(event);
  for (const kind of CLICKS) document.addEventListener(kind, onClick, true);
  const stopListening = onConsentChange((choices) => {
    logFailure(() => applyTagConsent(choices.marketing));
    onChoice(choices);
    getAnalytics().consentChanged();
  });
  return () => {
    for (const kind of CLICKS) document.removeEventListener(kind, onClick, true);
    stopListening();
  };
}

const CLICKS = ['click', 'auxclick'] as const;

/** Runs in the capture phase, so that other listeners see the tagged link. */
function followLink(event: Event): void {
  const anchor = event.target instanceof Element ? event.target.closest('a[href]') : null;
  const link = anchor?.getAttribute('href') ?? '';
  if (anchor === null || link === '') return;
  const leadsToAdmin = isAdminLink(link);
  if (!leadsToAdmin) {
    logFailure(() => {
      const taggedUrl = tagLink(link);
      if (taggedUrl !== link) anchor.setAttribute('href', taggedUrl);
    });
  }
  // The router would keep the container on the page, so let the browser load /admin itself.
  if (leadsToAdmin && getAnalytics().isRunning()) event.stopPropagation();
}

function isAdminLink(link: string): boolean {
  if (!URL.canParse(link, location.href)) return false;
  const { origin, pathname } = new URL(link, location.href);
  return origin === location.origin && pathname.startsWith(PORTAL_BASE) && !isTrackedPath(pathname.slice(PORTAL_BASE.length));
}
