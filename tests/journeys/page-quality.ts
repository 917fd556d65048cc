/**
 * Quality checks for every page: no axe violations, no horizontal scrolling and no broken links, at each width and in both colour schemes.
 */
import type { Page } from '@playwright/test';
import { listViolations } from './axe.ts';
import { expect } from './journey.ts';

const widths = [360, 768, 1440] as const;
const height = 900;
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'] as const;
/** The axe rules that depend on layout and colour, not only on the visible elements. */
const LAYOUT_RULES = [...COLOUR_RULES, 'scrollable-region-focusable'] as const;

/** Text styles that axe has already checked on any page. The result for a pair of colours doesn't depend on the page. */
const checkedTextStyles = new Set<string>();

/**
 * Checks the page at each width and leaves it at 1440 px in the light scheme. At 360 px, axe checks every colour. At the other widths and
 * in the dark scheme, it checks colours only if there is a text style that it hasn't seen before.
 */
export async function expectPageQuality(page: Page): Promise<void> {
  // A page that hasn't been rendered doesn't have a heading, and until the session is known, its heading is in a hidden element. Behind an
  // open dialog the heading isn't visible, so only its presence is awaited.
  await page.locator('h1:not([hidden] *)').first().waitFor({ state: 'attached' });
  await expectLinksToWork(page);
  const checkedLayouts = new Set<string>();
  for (const width of widths) {
    await setDisplay(page, width, 'light');
    await expectNoHorizontalScrolling(page);
    const { layoutHash, textStyles } = await takeSnapshot(page);
    const areColoursSkipped = width !== 360 && textStyles.every((textStyle) => checkedTextStyles.has(textStyle));
    const rules = checkedLayouts.has(layoutHash) ? LAYOUT_RULES.filter((rule) => !areColoursSkipped || !isColourRule(rule)) : undefined;
    const options = rules ? { rules } : { without: areColoursSkipped ? COLOUR_RULES : [] };
    expect(await listViolations(page, options), `axe on ${page.url()} at ${width} px, light`).toEqual([]);
    checkedLayouts.add(layoutHash);
    for (const textStyle of textStyles) checkedTextStyles.add(textStyle);
    if (width !== 768) await expectAccessibleDarkColours(page, width);
  }
  await setDisplay(page, 1440, 'light');
}

/** The dark scheme changes only colours, so only the colour rules are run again. */
async function expectAccessibleDarkColours(page: Page, width: number): Promise<void> {
  await setDisplay(page, width, 'dark');
  const { textStyles } = await takeSnapshot(page);
  if (textStyles.every((textStyle) => checkedTextStyles.has(textStyle))) return;
  expect(await listViolations(page, { rules: COLOUR_RULES }), `axe on ${page.url()} at ${width} px, dark`).toEqual([]);
  for (const textStyle of textStyles) checkedTextStyles.add(textStyle);
}

const isColourRule = (rule: string): boolean => (COLOUR_RULES as readonly string[]).includes(rule);

async function setDisplay(page: Page, width: number, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height });
  await waitUntilStill(page);
}

/**
 * The app reacts to a new width or scheme one frame later, and transitions animate the change, so axe could see intermediate colours.
 * Endless animations (a spinner) and those that follow scrolling are ignored.
 */
export async function waitUntilStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    const finiteAnimations = document
      .getAnimations()
      .filter(({ effect, timeline }) => timeline === document.timeline && effect?.getComputedTiming().iterations !== Infinity);
    await Promise.allSettled(finiteAnimations.map((animation) => animation.finished));
  });
}

type PageSnapshot = {
  /** The same for snapshots with the same elements and visibility, regardless of position and size. */
  readonly layoutHash: string;
  /** Each distinct text style: colour, size, weight, background, and the colour of the text around a link. */
  readonly textStyles: readonly string[];
};

function takeSnapshot(page: Page): Promise<PageSnapshot> {
  return page.evaluate(async () => {
    const all = [...document.querySelectorAll('*')];
    const isVisible = (element: Element): boolean => {
      const { right, bottom, left } = element.getBoundingClientRect();
      const isReachable = right > 0 && bottom > 0 && left < innerWidth;
      return element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && isReachable;
    };
    const visibleElements = new Set(all.filter(isVisible));
    const values = all.map((element) => (element instanceof HTMLInputElement ? `${element.value} ${element.checked}` : ''));
    const flags = all.map((element) => (visibleElements.has(element) ? '1' : '0'));
    const text = [document.documentElement.outerHTML, flags.join(''), values.join('')].join('\n');
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));

    const backgrounds = new Map<Element, string>();
    const getBackground = (element: Element): string => {
      const cachedBackground = backgrounds.get(element);
      if (cachedBackground !== undefined) return cachedBackground;
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
      const ownBackground = [backgroundColor, backgroundImage, opacity].join(' ');
      const parentBackground = element.parentElement ? getBackground(element.parentElement) : '';
      const background = ownBackground === 'rgba(0, 0, 0, 0) none 1' ? parentBackground : `${parentBackground} / ${ownBackground}`;
      backgrounds.set(element, background);
      return background;
    };
    const hasText = (element: Element): boolean =>
      element.matches('input, select, textarea') ||
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '');
    const getTextStyle = (element: Element): string => {
      const { color, fontSize, fontWeight, textShadow, textDecorationLine } = getComputedStyle(element);
      const surroundingColour = element.parentElement && element.matches('a') ? getComputedStyle(element.parentElement).color : '';
      return [color, fontSize, fontWeight, textShadow, textDecorationLine, surroundingColour, getBackground(element)].join(' ');
    };
    // axe skips disabled elements, so their colours don't count as checked.
    const isDisabled = (element: Element): boolean =>
      element.closest(':disabled, [aria-disabled="true"], [aria-hidden="true"], [inert]') !== null;
    const textStyles = [...visibleElements].filter((element) => hasText(element) && !isDisabled(element)).map(getTextStyle);
    return { layoutHash: [...new Uint8Array(hash)].join(' '), textStyles: [...new Set(textStyles)] };
  });
}

async function expectNoHorizontalScrolling(page: Page): Promise<void> {
  const { scroll, window } = await page.evaluate(() => ({
    scroll: document.scrollingElement?.scrollWidth ?? 0,
    window: document.documentElement.clientWidth,
  }));
  expect(scroll, `${page.url()}: width that scrolls`).toBeLessThanOrEqual(window);
}

const statusByUrl = new Map<string, number>();

/** Every link to the portal or the sandbox must return a status below 400. */
export async function expectLinksToWork(page: Page): Promise<void> {
  for (const url of await listLinks(page)) {
    const cachedStatus = statusByUrl.get(url);
    const status = cachedStatus ?? (await page.request.get(url, { headers: { accept: 'text/html' }, maxRedirects: 0 })).status();
    statusByUrl.set(url, status);
    expect(status, `the link ${url} on ${page.url()}`).toBeLessThan(400);
    const { origin, pathname } = new URL(url);
    // The server also serves the app outside /portal, where the app has no pages.
    if (origin === new URL(page.url()).origin) expect(pathname, `the link ${url} on ${page.url()}`).toMatch(/^\/portal(\/|$)/);
  }
}

/**
 * Lists links on this host, without fragments or in-page links. The logout link is safe to request, because the server only serves its
 * page.
 */
export function listLinks(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href]:not([href^="#"])')].map(({ href }) => href.replace(/#.*$/, ''));
    return [...new Set(links)].filter((href) => new URL(href).hostname === location.hostname);
  });
}
