/**
 * The page themes as one small style sheet. Every colour is a CSS variable, so that a page's theme is what it changes of the standard's
 * variables, set wherever `data-page-theme` names it: on the root element for a whole page, dialogs and menus included.
 */
import type { PageName } from '@portal/contract/pages.ts';
import { useEffect } from 'react';
import { pageThemes, theme } from './theme.ts';
import type { PageThemeName } from './tokens.ts';

type Variables = Record<string, string>;
type Sheet = Record<string, Variables | Record<string, Variables>>;

/** Twice the attribute, to outweigh :root on the root element itself. */
const getScope = (name: string): string => `[data-page-theme='${name}'][data-page-theme]`;

export function pageThemeStyles(): Sheet[] {
  const standard = generateSheets(theme);
  return Object.entries(pageThemes)
    .filter(([name]) => name !== 'standard')
    .flatMap(([name, pageTheme]) =>
      generateSheets(pageTheme).map((sheet, place) => getDifference(sheet, standard[place] ?? {}, getScope(name))),
    );
}

/** MUI's type of a theme does not say that one made with CSS variables has them. */
function generateSheets(whole: object): Sheet[] {
  if (!('generateStyleSheets' in whole) || typeof whole.generateStyleSheets !== 'function') {
    throw new TypeError('the theme is made without CSS variables');
  }
  return whole.generateStyleSheets() as Sheet[];
}

/** What a sheet says otherwise than the standard one, for the scope in place of the root. */
function getDifference(sheet: Sheet, standard: Sheet, scope: string): Sheet {
  return Object.fromEntries(
    Object.entries(sheet).map(([selector, content]) => {
      const before = standard[selector] ?? {};
      if (selector.startsWith('@')) return [selector, getDifference(content as Sheet, before as Sheet, scope) as Record<string, Variables>];
      return [
        scope,
        Object.fromEntries(Object.entries(content as Variables).filter(([name, value]) => (before as Variables)[name] !== value)),
      ];
    }),
  );
}

/** Pages to read stand on white, the steps of a sign-up on the brand's own tint, and what OpenTax shows to visitors in its own primary. */
const THEME_PAGES: Readonly<Partial<Record<PageThemeName, readonly PageName[]>>> = {
  plain: ['privacy', 'cookieChoices'],
  tinted: ['stepAbout', 'stepCompany', 'stepGovernmentGateway', 'stepBookkeeping', 'stepBankAccount', 'stepIdentity', 'getStarted'],
  plum: ['openTaxLanding', 'openTaxSignup', 'openTaxXeroDeclined', 'openTaxFreeagent', 'openTaxNomi', 'openTaxContact'],
};

/** The theme of a page; all that is not named has the standard one. */
export function getPageTheme(name: string | undefined): PageThemeName {
  const found = (Object.keys(THEME_PAGES) as PageThemeName[]).find((theme) => THEME_PAGES[theme]?.some((page) => page === name));
  return found ?? 'standard';
}

/** Gives the whole window a page's theme for as long as the page is shown. */
export function usePageTheme(name: PageThemeName): void {
  useEffect(() => {
    document.documentElement.dataset['pageTheme'] = name;
    return () => {
      delete document.documentElement.dataset['pageTheme'];
    };
  }, [name]);
}
