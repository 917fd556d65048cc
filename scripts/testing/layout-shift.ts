/** Measures how far a page's content moves while it loads. */
import type { BrowserContext, Page } from '@playwright/test';

/** Lighthouse calls a shift below 0.1 good; ours must be too small to notice. */
export const MAX_LAYOUT_SHIFT = 0.02;

/** Runs in the page; Node's types don't include layout shifts. */
const SUM_LAYOUT_SHIFTS = `
  globalThis.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.layoutShift += value;
  }).observe({ type: 'layout-shift', buffered: true });`;

/** Sums up the layout shifts of each page opened from now on. */
export async function watchLayoutShifts(target: Page | BrowserContext): Promise<void> {
  await target.addInitScript(SUM_LAYOUT_SHIFTS);
}

/** Returns the sum since the page was opened. */
export async function readLayoutShift(page: Page): Promise<number> {
  return Number(await page.evaluate('globalThis.layoutShift'));
}
