// Tests docs/product/specification.md section 9: "Several page themes differ in background; one uses primary #2A084B."
import { describe, expect, it } from 'vitest';
import { PAGES } from '@portal/contract/pages.ts';
import { pageThemeStyles, getPageTheme } from './page-theme.ts';
import { PAGE_THEMES } from './tokens.ts';

const styles = JSON.stringify(pageThemeStyles());

describe('page theme style sheet', () => {
  it('sets each theme’s background in both colour schemes', () => {
    for (const name of ['plain', 'tinted', 'plum'] as const) {
      expect(styles).toContain(`[data-page-theme='${name}'][data-page-theme]`);
      expect(styles).toContain(`"--mui-palette-background-default":"${PAGE_THEMES[name].light.ground}"`);
      expect(styles).toContain(`"--mui-palette-background-default":"${PAGE_THEMES[name].dark.ground}"`);
    }
  });

  it('sets the primary colour of plum', () => {
    expect(styles).toContain('"--mui-palette-primary-main":"#2A084B"');
  });

  it('leaves out the root and variables that do not differ', () => {
    expect(styles).not.toMatch(/:root|--mui-spacing|--mui-palette-error-/);
  });
});

describe('theme of a page', () => {
  it('covers every theme and is standard for most pages', () => {
    const themes = Object.keys(PAGES).map(getPageTheme);
    expect(new Set(themes)).toEqual(new Set(Object.keys(PAGE_THEMES)));
    expect(themes.filter((theme) => theme === 'standard').length).toBeGreaterThan(themes.length / 2);
  });

  it.each([
    ['privacy', 'plain'],
    ['stepCompany', 'tinted'],
    ['openTaxLanding', 'plum'],
    ['dashboard', 'standard'],
    [undefined, 'standard'],
  ])('of %s is %s', (page, theme) => {
    expect(getPageTheme(page)).toBe(theme);
  });
});
