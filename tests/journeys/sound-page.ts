/** What every page owes everybody: no axe violation, no sideways scrolling, no link into nothing; at each width, in both schemes. */
import type { Page } from '@playwright/test';
import { listViolations } from './axe.ts';
import { expect } from './journey.ts';

const widths = [360, 768, 1440] as const;
const height = 900;
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'] as const;
/** The rules of axe that ask for more than what stands in the page and can be seen there: for colours, and for sizes. */
const LAYOUT_RULES = [...COLOUR_RULES, 'scrollable-region-focusable'] as const;

/** The colours of words that axe has judged already, of every page so far: what it asks of a pair of colours does not change with the page. */
const judgedInks = new Set<string>();

/**
 * Leaves the page at 1440 px in the light scheme. On a phone and on a wide screen axe judges every colour where it stands. Between the two, and in
 * the dark scheme, in which everything stands where it stood in the light one, it judges those that it has not met.
 */
export async function expectSoundPage(page: Page): Promise<void> {
  await expectLinksLeadSomewhere(page);
  const judged = new Set<string>();
  for (const width of widths) {
    await show(page, width, 'light');
    await expectNoSidewaysScrolling(page);
    const { shown, inks } = await describeShown(page);
    const isBetween = width === 768 && inks.every((ink) => judgedInks.has(ink));
    const rules = judged.has(shown) ? LAYOUT_RULES.filter((rule) => !isBetween || !isColourRule(rule)) : undefined;
    const look = rules ? { rules } : { without: isBetween ? COLOUR_RULES : [] };
    expect(await listViolations(page, look), `axe on ${page.url()} at ${width} px, light`).toEqual([]);
    judged.add(shown);
    for (const ink of inks) judgedInks.add(ink);
    if (width !== 768) await expectSoundDarkColours(page, width);
  }
  await show(page, 1440, 'light');
}

/** The scheme changes colours only, so that only axe's rules about colour can answer otherwise. */
async function expectSoundDarkColours(page: Page, width: number): Promise<void> {
  await show(page, width, 'dark');
  const { inks } = await describeShown(page);
  if (inks.every((ink) => judgedInks.has(ink))) return;
  expect(await listViolations(page, { rules: COLOUR_RULES }), `axe on ${page.url()} at ${width} px, dark`).toEqual([]);
  for (const ink of inks) judgedInks.add(ink);
}

const isColourRule = (rule: string): boolean => (COLOUR_RULES as readonly string[]).includes(rule);

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

type Shown = {
  /** The same for two looks at a page in which the same elements stand and the same of them can be seen, wherever and however large. */
  readonly shown: string;
  /** Each way in which words are drawn: their colour, size and weight, what is painted behind them, and the words around a link. */
  readonly inks: readonly string[];
};

function describeShown(page: Page): Promise<Shown> {
  return page.evaluate(async () => {
    const all = [...document.querySelectorAll('*')];
    const isSeen = (element: Element): boolean => {
      const { right, bottom, left } = element.getBoundingClientRect();
      const isInReach = right > 0 && bottom > 0 && left < innerWidth;
      return element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && isInReach;
    };
    const seen = new Set(all.filter(isSeen));
    const values = all.map((element) => (element instanceof HTMLInputElement ? `${element.value} ${element.checked}` : ''));
    const flags = all.map((element) => (seen.has(element) ? '1' : '0'));
    const text = [document.documentElement.outerHTML, flags.join(''), values.join('')].join('\n');
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));

    const grounds = new Map<Element, string>();
    const groundOf = (element: Element): string => {
      const known = grounds.get(element);
      if (known !== undefined) return known;
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
      const own = [backgroundColor, backgroundImage, opacity].join(' ');
      const behind = element.parentElement ? groundOf(element.parentElement) : '';
      const ground = own === 'rgba(0, 0, 0, 0) none 1' ? behind : `${behind} / ${own}`;
      grounds.set(element, ground);
      return ground;
    };
    const hasWords = (element: Element): boolean =>
      element.matches('input, select, textarea') ||
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '');
    const inkOf = (element: Element): string => {
      const { color, fontSize, fontWeight, textShadow, textDecorationLine } = getComputedStyle(element);
      const around = element.parentElement && element.matches('a') ? getComputedStyle(element.parentElement).color : '';
      return [color, fontSize, fontWeight, textShadow, textDecorationLine, around, groundOf(element)].join(' ');
    };
    // What is shut off axe does not judge, so that it vouches for no colour.
    const isShutOff = (element: Element): boolean =>
      element.closest(':disabled, [aria-disabled="true"], [aria-hidden="true"], [inert]') !== null;
    const inks = [...seen].filter((element) => hasWords(element) && !isShutOff(element)).map(inkOf);
    return { shown: [...new Uint8Array(hash)].join(' '), inks: [...new Set(inks)] };
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
