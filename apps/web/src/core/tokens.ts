/**
 * Colours and shapes of every page, as CSS variables. `main` is the palette of
 * docs/product/specification.md section 9, for fills and charts. Use `tone` where text or an icon carries meaning: it has a contrast of
 * 4.5:1 on the scheme's surfaces. `fill` is the background of a filled button with white text, `soft` the subtle background of a panel.
 */
export type Role = 'primary' | 'secondary' | 'error' | 'success' | 'warning' | 'info';

export type RoleColours = {
  readonly main: string;
  readonly tone: string;
  readonly fill: string;
  readonly onFill: string;
  readonly soft: string;
};

export type Scheme = {
  readonly roles: Readonly<Record<Role, RoleColours>>;
  readonly ground: string;
  readonly paper: string;
  readonly text: string;
  readonly textQuiet: string;
  readonly divider: string;
  /** The border of a control, with a contrast of 3:1 against its background (WCAG 1.4.11). */
  readonly control: string;
};

export const LIGHT: Scheme = {
  roles: {
    primary: { main: '#8655FF', tone: '#7440F5', fill: '#7440F5', onFill: '#FFFFFF', soft: '#F3EEFF' },
    secondary: { main: '#022F2A', tone: '#022F2A', fill: '#022F2A', onFill: '#FFFFFF', soft: '#E8F0EE' },
    error: { main: '#FF006B', tone: '#C70054', fill: '#C70054', onFill: '#FFFFFF', soft: '#FFEDF4' },
    success: { main: '#079E8D', tone: '#067F71', fill: '#067F71', onFill: '#FFFFFF', soft: '#EDF9F6' },
    warning: { main: '#FF9472', tone: '#9C3D17', fill: '#9C3D17', onFill: '#FFFFFF', soft: '#FFF1EB' },
    info: { main: '#6D83A3', tone: '#52678A', fill: '#52678A', onFill: '#FFFFFF', soft: '#EEF2F7' },
  },
  ground: '#FAF9F7',
  paper: '#FFFFFF',
  text: '#1B1D1F',
  textQuiet: '#5A5F66',
  divider: '#E4E1DC',
  control: '#8A8782',
};

export const DARK: Scheme = {
  roles: {
    primary: { main: '#8655FF', tone: '#BBA2FF', fill: '#7440F5', onFill: '#FFFFFF', soft: '#2B2444' },
    secondary: { main: '#022F2A', tone: '#9FD8CD', fill: '#0B5A50', onFill: '#FFFFFF', soft: '#16302C' },
    error: { main: '#FF006B', tone: '#FF8DB8', fill: '#C70054', onFill: '#FFFFFF', soft: '#3D1A29' },
    success: { main: '#079E8D', tone: '#4FD1C0', fill: '#067F71', onFill: '#FFFFFF', soft: '#12322E' },
    warning: { main: '#FF9472', tone: '#FFB199', fill: '#9C3D17', onFill: '#FFFFFF', soft: '#3C261D' },
    info: { main: '#6D83A3', tone: '#A9BAD3', fill: '#52678A', onFill: '#FFFFFF', soft: '#232B37' },
  },
  ground: '#111315',
  paper: '#1A1D20',
  text: '#F0EEEB',
  textQuiet: '#ABB0B7',
  divider: '#32363B',
  control: '#7C828A',
};

type PageColours = { readonly ground: string; readonly primary?: RoleColours };

/** The page themes in docs/product/specification.md section 9. Each lists only its differences from LIGHT and DARK. */
export const PAGE_THEMES = {
  standard: { light: { ground: LIGHT.ground }, dark: { ground: DARK.ground } },
  /** For pages of text and forms without cards. */
  plain: { light: { ground: '#FFFFFF' }, dark: { ground: '#1A1D20' } },
  /** The background is a light tint of the primary colour. */
  tinted: { light: { ground: '#F8F6FF' }, dark: { ground: '#15121F' } },
  /** The theme with #2A084B as its primary colour. */
  plum: {
    light: {
      ground: '#F9F6FC',
      primary: { main: '#2A084B', tone: '#2A084B', fill: '#2A084B', onFill: '#FFFFFF', soft: '#EFE6F8' },
    },
    dark: {
      ground: '#150C1F',
      primary: { main: '#2A084B', tone: '#D3BDF0', fill: '#5B2A94', onFill: '#FFFFFF', soft: '#2E1F42' },
    },
  },
} as const satisfies Record<string, { readonly light: PageColours; readonly dark: PageColours }>;

export type PageThemeName = keyof typeof PAGE_THEMES;

/** Returns the colours of a page theme in light or dark mode. */
export function getPageScheme(name: PageThemeName, mode: 'light' | 'dark'): Scheme {
  const tokens = mode === 'light' ? LIGHT : DARK;
  const { ground, primary }: PageColours = PAGE_THEMES[name][mode];
  return { ...tokens, ground, roles: primary === undefined ? tokens.roles : { ...tokens.roles, primary } };
}

export const RADIUS_PX = 8;
export const FONT_FAMILY = "'Work Sans Variable', 'Work Sans Fallback', system-ui, sans-serif";
