/**
 * The analytics container (Google Tag Manager). Loads nothing before consent. Sends one page view per route change, with the route's
 * pattern instead of IDs and queries, and none under /admin (docs/product/specification.md section 4, "Analytics").
 */

export type Analytics = {
  /** Reports that a route was opened. Opening the same route twice in a row counts once, because StrictMode runs effects twice. */
  visit(path: string, title: string): void;
  /** Reports that the visitor changed their cookie choices. */
  consentChanged(): void;
  /** Returns whether the container's script is on this page. */
  isRunning(): boolean;
};

export type AnalyticsDeps = {
  /** The script's URL. If it is empty, no container is configured and nothing is sent. */
  readonly scriptUrl: string;
  readonly hasConsent: () => boolean;
  readonly document: Document;
  readonly dataLayer: unknown[];
  readonly origin: string;
  /** A script can't be unloaded, so withdrawing consent reloads the page without it. */
  readonly reload: () => void;
};

/** Cookies set by the container's tags (Google Analytics). */
const ANALYTICS_COOKIE = /^(_ga|_gid|_gat|_gcl)/;

export const isTrackedPath = (path: string): boolean => !/^\/admin(\/|$)/.test(path);

export function createAnalytics(deps: AnalyticsDeps): Analytics {
  let isRunning = false;
  let current: { readonly path: string; readonly title: string } | undefined;

  const push = (entry: unknown): void => void deps.dataLayer.push(entry);

  const start = (): void => {
    isRunning = true;
    for (const command of CONSENT_COMMANDS) push(toArguments(command));
    push({ 'gtm.start': Date.now(), event: 'gtm.js' });
    const script = deps.document.createElement('script');
    script.async = true;
    script.src = deps.scriptUrl;
    deps.document.head.append(script);
  };

  const sendPageview = (): void => {
    if (current === undefined || deps.scriptUrl === '' || !isTrackedPath(current.path) || !deps.hasConsent()) return;
    if (!isRunning) start();
    const page_path = `/portal${current.path}`;
    push({ event: 'pageview', page_path, page_title: current.title, page_location: `${deps.origin}${page_path}` });
  };

  return {
    visit: (path, title) => {
      if (current?.path === path) return;
      current = { path, title };
      sendPageview();
    },
    consentChanged: () => {
      if (!isRunning) sendPageview();
      else if (!deps.hasConsent()) {
        push(toArguments(['consent', 'update', { analytics_storage: 'denied' }]));
        deleteCookies(deps.document);
        deps.reload();
      }
    },
    isRunning: () => isRunning,
  };
}

/** Google Consent Mode 2: deny everything, then grant what the visitor allowed. Consent for advertising is never requested. */
const CONSENT_COMMANDS = [
  [
    'consent',
    'default',
    {
      ad_storage: 'denied',
      ad_user_data: 'denied',
      ad_personalization: 'denied',
      analytics_storage: 'denied',
      functionality_storage: 'granted',
      security_storage: 'granted',
    },
  ],
  ['consent', 'update', { analytics_storage: 'granted' }],
] as const;

/** The container accepts a command only in the form of a function's `arguments` object. */
function toArguments(command: readonly unknown[]): unknown {
  return function collect() {
    // oxlint-disable-next-line prefer-rest-params
    return arguments;
  }.apply(undefined, command as []);
}

/** The tags set their cookies on the host or on a domain above it. */
function deleteCookies(document: Document): void {
  const { hostname } = document.location;
  const domains = [
    '',
    `; Domain=${hostname}`,
    `; Domain=${hostname.split('.').slice(-2).join('.')}`,
    `; Domain=${hostname.split('.').slice(-3).join('.')}`,
  ];
  const names = document.cookie.split(/;\s*/).flatMap((pair) => pair.split('=')[0] ?? []);
  for (const name of names.filter((cookieName) => ANALYTICS_COOKIE.test(cookieName))) {
    for (const domain of domains) document.cookie = `${name}=; Path=/; Max-Age=0${domain}`;
  }
}
