/**
 * Quality checks for every page: no axe violations, no horizontal scrolling and no broken links, at each width and in both colour schemes.
 */
import type { Page } from '@playwright/test';
import { listViolations } from './axe.ts';
import { expect } from './journey.ts';

const widths = [360, 768, 1440] as const;
const height = 900;
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'] as const;
/** Rules of axe that depend on layout and colour, not only on the visible elements. */
const LAYOUT_RULES = [...COLOUR_RULES, 'scrollable-region-focusable'] as const;

/** Text styles that axe has already checked on any page. The result for a pair of colours does not depend on the page. */
const judgedInks = new Set<string>();

/**
 * Leaves the page at 1440 px in the light scheme. At 360 and 1440 px axe checks every colour. At 768 px, and in the dark scheme, whose
 * layout is the same,
 * it only checks text styles that it has not seen before.
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

/** The dark scheme only changes colours, so only the colour rules are run again. */
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
 * The app reacts to a new width or scheme one frame later, and MUI animates the change, so axe could see intermediate colours.
 * Endless animations (a spinner) are ignored.
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
  /** Equal for two snapshots with the same elements and the same visible elements, whatever their position and size. */
  readonly shown: string;
  /** Each distinct text style: colour, size, weight, background, and the colour of the text around a link. */
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
    // axe skips disabled elements, so their colours do not count as checked.
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

/** Every link to the portal or the sandbox must return a status below 400. */
export async function expectLinksLeadSomewhere(page: Page): Promise<void> {
  for (const url of await listLinks(page)) {
    const known = answered.get(url);
    const status = known ?? (await page.request.get(url, { headers: { accept: 'text/html' }, maxRedirects: 0 })).status();
    answered.set(url, status);
    expect(status, `the link ${url} on ${page.url()}`).toBeLessThan(400);
    const { origin, pathname } = new URL(url);
    // Outside /portal the server also serves the app, which has no pages there.
    if (origin === new URL(page.url()).origin) expect(pathname, `the link ${url} on ${page.url()}`).toMatch(/^\/portal(\/|$)/);
  }
}

/**
 * Links on this host without fragments or in-page links. The logout link is safe to request, because the server serves its page without
 * logging out.
 */
export function listLinks(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href]:not([href^="#"])')].map(({ href }) => href.replace(/#.*$/, ''));
    return [...new Set(links)].filter((href) => new URL(href).hostname === location.hostname);
  });
}
