/** What every page owes everybody: no axe violation, no sideways scrolling, no link into nothing; at each width, in both schemes. */
import type { Page } from '@playwright/test';
import { listViolations } from './axe.ts';
import { expect } from './journey.ts';

const widths = [360, 768, 1440] as const;
const height = 900;
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'] as const;
/** The rules of axe that ask for more than what stands in the page and can be seen there: for colours, and for sizes. */
const LAYOUT_RULES = [...COLOUR_RULES, 'scrollable-region-focusable'] as const;

/** Leaves the page at 1440 px in the light scheme. */
export async function expectSoundPage(page: Page): Promise<void> {
  await expectLinksLeadSomewhere(page);
  const judged = new Set<string>();
  for (const width of widths) {
    await show(page, width, 'light');
    await expectNoSidewaysScrolling(page);
    const shown = await describeShown(page);
    const rules = judged.has(shown) ? { rules: LAYOUT_RULES } : {};
    expect(await listViolations(page, rules), `axe on ${page.url()} at ${width} px, light`).toEqual([]);
    judged.add(shown);
  }
  // The scheme changes colours only, so that only axe's rules about colour can answer otherwise.
  for (const width of [360, 1440]) {
    await show(page, width, 'dark');
    expect(await listViolations(page, { rules: COLOUR_RULES }), `axe on ${page.url()} at ${width} px, dark`).toEqual([]);
  }
  await show(page, 1440, 'light');
}

async function show(page: Page, width: number, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height });
  await untilStill(page);
}

/**
 * The app answers a new width or scheme in the frame after the one that brings it. MUI then fades and moves by transitions: axe would
 * see colours that are on their way. Endless ones (a spinner) never finish.
 */
export async function untilStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    const ending = document.getAnimations().filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity);
    await Promise.allSettled(ending.map((animation) => animation.finished));
  });
}

/** The same for two looks at a page in which the same elements stand and the same of them can be seen, wherever and however large. */
function describeShown(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const all = [...document.querySelectorAll('*')];
    const seen = all.map((element) => {
      const { right, bottom, left } = element.getBoundingClientRect();
      const isInReach = right > 0 && bottom > 0 && left < innerWidth;
      return element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && isInReach ? '1' : '0';
    });
    const values = all.map((element) => (element instanceof HTMLInputElement ? `${element.value} ${element.checked}` : ''));
    const text = [document.documentElement.outerHTML, seen.join(''), values.join('')].join('\n');
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
    return [...new Uint8Array(hash)].join(' ');
  });
}

async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const { scroll, window } = await page.evaluate(() => ({
    scroll: document.scrollingElement?.scrollWidth ?? 0,
    window: document.documentElement.clientWidth,
  }));
  expect(scroll, `${page.url()}: width that scrolls`).toBeLessThanOrEqual(window);
}

const answered = new Map<string, number>();

/** Every link on the page, to us or to the sandbox, is answered with something else than "not found". */
export async function expectLinksLeadSomewhere(page: Page): Promise<void> {
  for (const url of await listLinks(page)) {
    const known = answered.get(url);
    const status = known ?? (await page.request.get(url, { headers: { accept: 'text/html' }, maxRedirects: 0 })).status();
    answered.set(url, status);
    expect(status, `the link ${url} on ${page.url()}`).toBeLessThan(400);
    const { origin, pathname } = new URL(url);
    // Outside /portal the server answers with the app as well, which has no page there.
    if (origin === new URL(page.url()).origin) expect(pathname, `the link ${url} on ${page.url()}`).toMatch(/^\/portal(\/|$)/);
  }
}

/** Addresses without their fragments, and without links inside the page. Logging out is a link as well, and leads to a page that the server knows without acting on it. */
export function listLinks(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href]:not([href^="#"])')].map(({ href }) => href.replace(/#.*$/, ''));
    return [...new Set(links)].filter((href) => new URL(href).hostname === location.hostname);
  });
}
