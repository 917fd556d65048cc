// Tests docs/product/specification.md section 9: "Several page themes differ in background; one uses primary #2A084B."
import { describe, expect, it } from 'vitest';
import { PAGES } from '@portal/contract/pages.ts';
import { getPageTheme } from './page-theme.ts';
import { renderTokenStyles } from './token-styles.ts';
import { PAGE_THEMES } from './tokens.ts';

const styles = renderTokenStyles();

describe('page themes in the tokens', () => {
  it('set each background in both colour schemes', () => {
    for (const name of ['plain', 'tinted', 'plum'] as const) {
      const rules = [...styles.matchAll(new RegExp(`\\[data-page-theme='${name}'\\]\\{([^}]*)\\}`, 'g'))].map(([, rule]) => rule);
      expect(rules).toHaveLength(2);
      expect(rules[0]).toContain(`--ground:${PAGE_THEMES[name].light.ground}`);
      expect(rules[1]).toContain(`--ground:${PAGE_THEMES[name].dark.ground}`);
      expect(rules.join(';')).not.toContain('--error-');
    }
  });

  it('set the primary colour of plum', () => {
    expect(styles).toContain('--primary-main:#2A084B');
  });
});

describe('the theme of a page', () => {
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
