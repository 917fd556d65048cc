// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import { createAnalytics } from './analytics.ts';

let layer: unknown[];
let isAllowed: boolean;
let reloadCount: number;
const SCRIPT = 'https://tags.example/gtm.js?id=GTM-ABC1234';

beforeEach(() => {
  // Remove only our own elements: the head also contains styles for other tests' screens.
  document.head.querySelectorAll('script').forEach((script) => script.remove());
  layer = [];
  isAllowed = false;
  reloadCount = 0;
});

const createTestAnalytics = (scriptUrl = SCRIPT) =>
  createAnalytics({
    scriptUrl,
    hasConsent: () => isAllowed,
    document,
    dataLayer: layer,
    origin: 'https://portal.example',
    reload: () => void (reloadCount += 1),
  });

const listScripts = () => [...document.head.querySelectorAll('script')].map(({ src }) => src);
const listViews = () =>
  layer.flatMap((entry) => ((entry as { event?: string }).event === 'pageview' ? [(entry as { page_path: string }).page_path] : []));
const listCommands = () =>
  layer.filter((entry) => Object.prototype.toString.call(entry) === '[object Arguments]').map((entry) => [...(entry as unknown[])]);

describe('the analytics container', () => {
  it('is not loaded and receives nothing before consent', () => {
    const analytics = createTestAnalytics();
    analytics.visit('/login', 'Login');
    analytics.visit('/v2/auth/login', 'Login');
    expect([layer, listScripts(), analytics.isRunning()]).toEqual([[], [], false]);
  });

  it('starts with the current page after consent, with all consent types denied first', () => {
    const analytics = createTestAnalytics();
    analytics.visit('/login', 'Login');
    isAllowed = true;
    analytics.consentChanged();
    analytics.consentChanged();
    expect(listScripts()).toEqual([SCRIPT]);
    expect(listCommands()[0]).toMatchObject([
      'consent',
      'default',
      { analytics_storage: 'denied', ad_storage: 'denied', ad_user_data: 'denied', ad_personalization: 'denied' },
    ]);
    expect(listCommands()[1]).toEqual(['consent', 'update', { analytics_storage: 'granted' }]);
    expect(layer.at(-1)).toEqual({
      event: 'pageview',
      page_path: '/portal/login',
      page_title: 'Login',
      page_location: 'https://portal.example/portal/login',
    });
    expect(listViews()).toHaveLength(1);
  });

  it('receives each route once although effects run twice, and again when the route is reopened', () => {
    isAllowed = true;
    const analytics = createTestAnalytics();
    for (const path of ['/home', '/home', '/company', '/company', '/home']) analytics.visit(path, 'x');
    expect(listViews()).toEqual(['/portal/home', '/portal/company', '/portal/home']);
    expect(listScripts()).toHaveLength(1);
  });

  it('is not loaded and receives nothing under /admin', () => {
    isAllowed = true;
    const analytics = createTestAnalytics();
    analytics.visit('/admin', 'Operators');
    analytics.visit('/admin/ledger', 'Operators');
    expect([listScripts(), layer]).toEqual([[], []]);
    analytics.visit('/administration-guide', 'x');
    expect(listViews()).toEqual(['/portal/administration-guide']);
  });

  it('stops when consent is withdrawn: denies, deletes its cookies and reloads the page', () => {
    isAllowed = true;
    const analytics = createTestAnalytics();
    analytics.visit('/home', 'x');
    document.cookie = '_ga=GA1.1.2; Path=/';
    document.cookie = 'partner_id=swoop; Path=/';
    isAllowed = false;
    analytics.consentChanged();
    expect(listCommands().at(-1)).toEqual(['consent', 'update', { analytics_storage: 'denied' }]);
    expect(reloadCount).toBe(1);
    expect(document.cookie).not.toContain('_ga');
    expect(document.cookie).toContain('partner_id=swoop');
    document.cookie = 'partner_id=; Path=/; Max-Age=0';
    analytics.visit('/company', 'x');
    expect(listViews()).toEqual(['/portal/home']);
  });

  it('does nothing if it is not configured', () => {
    isAllowed = true;
    const analytics = createTestAnalytics('');
    analytics.visit('/home', 'x');
    analytics.consentChanged();
    expect([listScripts(), layer]).toEqual([[], []]);
  });
});
