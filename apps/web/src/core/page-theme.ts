/**
 * The page themes as one small style sheet. Every colour is a CSS variable, so a page theme only overrides the variables that differ from
 * the standard theme, within `data-page-theme`. It is set on the root element so that dialogs and menus follow.
 */
import type { PageName } from '@portal/contract/pages.ts';
import { useEffect } from 'react';
import { pageThemes, theme } from './theme.ts';
import type { PageThemeName } from './tokens.ts';

type Variables = Record<string, string>;
type Sheet = Record<string, Variables | Record<string, Variables>>;

/** Repeat the attribute to get a higher specificity than :root. */
const getScope = (name: string): string => `[data-page-theme='${name}'][data-page-theme]`;

export function pageThemeStyles(): Sheet[] {
  const standard = generateSheets(theme);
  return Object.entries(pageThemes)
    .filter(([name]) => name !== 'standard')
    .flatMap(([name, pageTheme]) =>
      generateSheets(pageTheme).map((sheet, place) => getDifference(sheet, standard[place] ?? {}, getScope(name))),
    );
}

/** MUI's type doesn't include the method that themes with CSS variables have. */
function generateSheets(whole: object): Sheet[] {
  if (!('generateStyleSheets' in whole) || typeof whole.generateStyleSheets !== 'function') {
    throw new TypeError('The theme was created without CSS variables');
  }
  return whole.generateStyleSheets() as Sheet[];
}

/** Returns the variables that differ from the standard sheet, within `scope` instead of the root. */
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

/** White for pages of text, a tint of the brand colour for sign-up steps, OpenTax's own primary colour for its public pages. */
const THEME_PAGES: Readonly<Partial<Record<PageThemeName, readonly PageName[]>>> = {
  plain: ['privacy', 'cookieChoices'],
  tinted: ['stepAbout', 'stepCompany', 'stepGovernmentGateway', 'stepBookkeeping', 'stepBankAccount', 'stepIdentity', 'getStarted'],
  plum: ['openTaxLanding', 'openTaxSignup', 'openTaxXeroDeclined', 'openTaxFreeagent', 'openTaxNomi', 'openTaxContact'],
};

/** Pages that are not listed have the standard theme. */
export function getPageTheme(name: string | undefined): PageThemeName {
  const found = (Object.keys(THEME_PAGES) as PageThemeName[]).find((theme) => THEME_PAGES[theme]?.some((page) => page === name));
  return found ?? 'standard';
}

/** Applies a page theme to the whole window while the page is mounted. */
export function usePageTheme(name: PageThemeName): void {
  useEffect(() => {
    document.documentElement.dataset['pageTheme'] = name;
    return () => {
      delete document.documentElement.dataset['pageTheme'];
    };
  }, [name]);
}
