/**
 * The analytics container (Google Tag Manager's wire): nothing of it is loaded before consent, and it hears one pageview for each change of
 * route, by the route's pattern, without ids and queries. Never under /admin (specification 4, "Analytics").
 */

export type Analytics = {
  /** A route was opened; the same one again, as StrictMode does it, counts once. */
  visit(path: string, title: string): void;
  /** The person chose anew. */
  consentChanged(): void;
  /** Whether the container's script is on this page. */
  isRunning(): boolean;
};

export type AnalyticsDeps = {
  /** Empty where no container is set up: nothing ever happens then. */
  readonly scriptUrl: string;
  readonly hasConsent: () => boolean;
  readonly document: Document;
  readonly dataLayer: unknown[];
  readonly origin: string;
  /** A script cannot be taken back: the page is loaded anew without it. */
  readonly reload: () => void;
};

/** What the container's own tags keep (Google Analytics). */
const ANALYTICS_COOKIE = /^(_ga|_gid|_gat|_gcl)/;

export const isTrackedPath = (path: string): boolean => !/^\/admin(\/|$)/.test(path);

export function createAnalytics(deps: AnalyticsDeps): Analytics {
  let isRunning = false;
  let current: { readonly path: string; readonly title: string } | undefined;

  const push = (entry: unknown): void => void deps.dataLayer.push(entry);

  const start = (): void => {
    isRunning = true;
    for (const command of CONSENT_COMMANDS) push(asArguments(command));
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
        push(asArguments(['consent', 'update', { analytics_storage: 'denied' }]));
        deleteCookies(deps.document);
        deps.reload();
      }
    },
    isRunning: () => isRunning,
  };
}

/** Consent Mode 2: all denied, then what the person allowed. Advertising is never asked for, hence stays denied. */
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

/** The container takes a command only as a function's `arguments`; an array is an entry without an event to it. */
function asArguments(command: readonly unknown[]): unknown {
  return function collect() {
    // oxlint-disable-next-line prefer-rest-params
    return arguments;
  }.apply(undefined, command as []);
}

/** Their tags set them for the host, or for the domain above it. */
function deleteCookies(document: Document): void {
  const { hostname } = document.location;
  const domains = [
    '',
    `; Domain=${hostname}`,
    `; Domain=${hostname.split('.').slice(-2).join('.')}`,
    `; Domain=${hostname.split('.').slice(-3).join('.')}`,
  ];
  const names = document.cookie.split(/;\s*/).flatMap((pair) => pair.split('=')[0] ?? []);
  for (const name of names.filter((each) => ANALYTICS_COOKIE.test(each))) {
    for (const domain of domains) document.cookie = `${name}=; Path=/; Max-Age=0${domain}`;
  }
}
