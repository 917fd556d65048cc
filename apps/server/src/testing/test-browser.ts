/** A user with one browser, for tests: keeps cookies, reads emails, and visits the provider simulators. */
import type { TestPortal } from './open-test-portal.ts';

export type BrowserResponse = { readonly status: number; readonly body: Record<string, unknown>; readonly location: string | undefined };

export type TestBrowser = {
  readonly cookies: ReadonlyMap<string, string>;
  get(path: string, query?: Record<string, string>): Promise<BrowserResponse>;
  post(path: string, body?: object): Promise<BrowserResponse>;
  /** Finds the token of the newest link emailed to an address. */
  findEmailedToken(email: string): Promise<string>;
  /**
   * Starts at `path`, signs in at the simulator as the user with this email address, and returns the location that the callback redirects
   * to.
   */
  signInWith(path: string, email: string): Promise<string>;
};

type TestBrowserOptions = {
  readonly ip?: string;
  readonly userAgent?: string;
  /** Cookies set by scripts on the pages. */ readonly cookies?: Record<string, string>;
};

export function openTestBrowser(
  portal: TestPortal,
  { ip = '198.51.100.7', userAgent = 'Firefox/140 (Windows)', cookies: initialCookies = {} }: TestBrowserOptions = {},
): TestBrowser {
  const cookies = new Map<string, string>(Object.entries(initialCookies));
  const send = async (method: 'GET' | 'POST', url: string, body?: object, query?: Record<string, string>): Promise<BrowserResponse> => {
    const response = await portal.app.inject({
      method,
      url: url.startsWith('/portal') ? url : `/portal${url}`,
      ...(query ? { query } : {}),
      ...(body ? { payload: body } : {}),
      headers: {
        'user-agent': userAgent,
        'x-forwarded-for': ip,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
    });
    for (const { name, value, maxAge, expires } of response.cookies) {
      if (maxAge === 0 || (expires && expires.getTime() < Date.now())) cookies.delete(name);
      else cookies.set(name, value);
    }
    const isJson = String(response.headers['content-type'] ?? '').includes('json');
    return {
      status: response.statusCode,
      body: isJson && response.body ? (response.json() as Record<string, unknown>) : {},
      location: response.headers.location,
    };
  };
  return {
    cookies,
    get: (path, query) => send('GET', path, undefined, query),
    post: (path, body = {}) => send('POST', path, body),
    findEmailedToken: async (email) => {
      await portal.runJobs();
      const sentEmail = portal.sentEmails.findLast(({ to, text }) => to === email && /token=/.test(text));
      return /token=([\w-]+)/.exec(sentEmail?.text ?? '')?.[1] ?? 'no link was mailed';
    },
    signInWith: async (path, email) => {
      const startedResponse = await send('GET', path);
      const url = new URL(startedResponse.location ?? '', 'http://localhost');
      if (url.origin === 'http://localhost') return url.pathname + url.search;
      url.searchParams.set('sandbox_user', email);
      const redirectResponse = await fetch(url, { redirect: 'manual' });
      const location = redirectResponse.headers.get('location');
      if (location === null)
        throw new Error(`no redirect from the provider: ${redirectResponse.status} ${(await redirectResponse.text()).slice(0, 300)}`);
      const callback = new URL(location);
      const arrivedResponse = await send('GET', callback.pathname + callback.search);
      return arrivedResponse.location ?? `${arrivedResponse.status}`;
    },
  };
}

/** Signs up by email in this browser and opens the emailed link. */
export async function openAccount(browser: TestBrowser, email: string, password = 'a long enough one'): Promise<void> {
  await browser.post('/v2/sign-up', { email, full_name: 'Tess Trader', password });
  const { status } = await browser.post('/v2/auth/use-link', { token: await browser.findEmailedToken(email) });
  if (status !== 200) throw new Error(`the sign-in link failed: ${status}`);
}
