// Tests the contrast of the palette in docs/product/specification.md section 9. WCAG 2.2 requires 4.5:1 for text (1.4.3), and 3:1 for large
// text, graphics and the edges of controls (1.4.11).
import { describe, expect, it } from 'vitest';
import { WORD_MARKS } from '../ui/brand-mark.tsx';
import { MEDIA_BELOW } from '../lib/use-media-query.ts';
import { FONT_FAMILY, LIGHT, getPageScheme, PAGE_THEMES, RADIUS_PX, type PageThemeName, type Role } from './tokens.ts';

const ROLES = Object.keys(LIGHT.roles) as Role[];
const THEME_NAMES = Object.keys(PAGE_THEMES) as PageThemeName[];
const schemes = THEME_NAMES.flatMap((name) => (['light', 'dark'] as const).map((mode) => [name, mode, getPageScheme(name, mode)] as const));

/** WCAG 2.2, "relative luminance". */
function getLuminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((place) => {
    const share = Number.parseInt(colour.slice(place, place + 2), 16) / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function getContrast(firstColour: string, secondColour: string): number {
  const [lighter = 0, darker = 0] = [getLuminance(firstColour), getLuminance(secondColour)].toSorted((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

describe('contrast', () => {
  it('is calculated as WCAG defines it', () => {
    expect([getContrast('#000000', '#FFFFFF'), getContrast('#777777', '#FFFFFF')].map((ratio) => ratio.toFixed(2))).toEqual([
      '21.00',
      '4.48',
    ]);
  });

  describe.each(schemes)('of the page theme %s, %s', (_name, _mode, scheme) => {
    const groundColours = [scheme.ground, scheme.paper];

    it.each(['text', 'textQuiet'] as const)('is at least 4.5 for %s on every background', (token) => {
      for (const ground of [...groundColours, ...ROLES.map((role) => scheme.roles[role].soft)]) {
        expect(getContrast(scheme[token], ground), ground).toBeGreaterThanOrEqual(4.5);
      }
    });

    it.each(ROLES)('is at least 4.5 for the tone of %s and for the text on its fill', (role) => {
      const { tone, fill, onFill, soft } = scheme.roles[role];
      for (const ground of [...groundColours, soft]) expect(getContrast(tone, ground), ground).toBeGreaterThanOrEqual(4.5);
      expect(getContrast(onFill, fill)).toBeGreaterThanOrEqual(4.5);
    });

    it('is at least 3 for the border of a control', () => {
      for (const ground of groundColours) expect(getContrast(scheme.control, ground), ground).toBeGreaterThanOrEqual(3);
    });
  });

  it.each(Object.entries(WORD_MARKS))('is at least 4.5 for the word mark of %s, default and on hover', (_brand, { colour, hover }) => {
    expect([getContrast('#FFFFFF', colour), getContrast('#FFFFFF', hover)].every((ratio) => ratio >= 4.5)).toBe(true);
  });
});

describe('the standard theme', () => {
  it('has the specification’s palette', () => {
    expect(Object.fromEntries(ROLES.map((role) => [role, LIGHT.roles[role].main]))).toEqual({
      primary: '#8655FF',
      secondary: '#022F2A',
      error: '#FF006B',
      success: '#079E8D',
      warning: '#FF9472',
      info: '#6D83A3',
    });
  });

  it('has the specification’s font and radius', () => {
    expect(FONT_FAMILY).toMatch(/^'Work Sans/);
    expect(RADIUS_PX).toBe(8);
  });

  it('has the specification’s breakpoints', () => {
    expect(MEDIA_BELOW).toEqual({ sm: '(max-width:599.95px)', md: '(max-width:899.95px)', lg: '(max-width:1199.95px)' });
  });

  it('has several page themes with different backgrounds, one with the primary #2A084B', () => {
    expect(new Set(THEME_NAMES.map((name) => getPageScheme(name, 'light').ground)).size).toBe(THEME_NAMES.length);
    expect(THEME_NAMES.filter((name) => getPageScheme(name, 'light').roles.primary.main === '#2A084B')).toHaveLength(1);
  });
});
