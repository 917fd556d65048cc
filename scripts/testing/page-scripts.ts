/** The JavaScript that a page loads before any interaction, and its limits (docs/decisions/0086-scripts-of-a-page.md). */
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from '@playwright/test';

/** Limits in bytes, after gzip compression, by path below /portal. */
export const SCRIPT_LIMITS = {
  '/v2/instant-vat': 90_000,
  '/v2/open-tax': 90_000,
  '/login': 150_000,
  '/v2/instant-vat/dashboard': 170_000,
  '/v2/open-tax/dashboard': 170_000,
  '/v2/open-tax/clients': 200_000,
} as const satisfies Readonly<Record<string, number>>;

type State = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Returns the gzipped size of all scripts that a first visit to the page loads. `assertLoaded` must reject a page without its content. */
export async function measureScriptBytes(
  browser: Browser,
  storageState: State | undefined,
  url: string,
  assertLoaded: (page: Page) => Promise<void>,
): Promise<number> {
  const context = await browser.newContext({ serviceWorkers: 'block', ...(storageState === undefined ? {} : { storageState }) });
  try {
    const page = await context.newPage();
    const sizes: Promise<number>[] = [];
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') sizes.push(response.body().then((body) => gzipSync(body, { level: 9 }).length));
    });
    await page.goto(url, { waitUntil: 'networkidle' });
    await assertLoaded(page);
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  } finally {
    await context.close();
  }
}
