/** Which theme each page has. The colours are in the document's tokens (token-styles.ts), under `data-page-theme`. */
import type { PageName } from '@portal/contract/pages.ts';
import { useEffect } from 'react';
import type { PageThemeName } from './tokens.ts';

/** White for pages of text, a tint of the brand colour for sign-up steps, and OpenTax's own primary colour for its public pages. */
const THEME_PAGES: Readonly<Partial<Record<PageThemeName, readonly PageName[]>>> = {
  plain: ['privacy', 'cookieChoices'],
  tinted: ['stepAbout', 'stepCompany', 'stepGovernmentGateway', 'stepBookkeeping', 'stepBankAccount', 'stepIdentity', 'getStarted'],
  plum: ['openTaxLanding', 'openTaxSignup', 'openTaxXeroDeclined', 'openTaxFreeagent', 'openTaxNomi', 'openTaxContact'],
};

/** Returns a page's theme. Pages that are not listed have the standard theme. */
export function getPageTheme(name: string | undefined): PageThemeName {
  const themeName = (Object.keys(THEME_PAGES) as PageThemeName[]).find((theme) => THEME_PAGES[theme]?.some((page) => page === name));
  return themeName ?? 'standard';
}

/** Applies a page theme to the whole window while the page is mounted, so that dialogs and menus follow. */
export function usePageTheme(name: PageThemeName): void {
  useEffect(() => {
    document.documentElement.dataset['pageTheme'] = name;
    return () => {
      delete document.documentElement.dataset['pageTheme'];
    };
  }, [name]);
}
