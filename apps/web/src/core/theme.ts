/**
 * MUI's theme, built from our tokens. The light or dark scheme follows the system through CSS variables in media queries, so it doesn't
 * flash.
 */
import { createTheme } from '@mui/material/styles';
import { FONT_FAMILY, pageScheme, PAGE_THEMES, RADIUS_PX, type PageThemeName, type Role, type RoleColours, type Scheme } from './tokens.ts';
import { buttonOverrides, componentOverrides } from './theme-components.ts';

declare module '@mui/material/styles' {
  // Augmenting MUI's interfaces is the one place where we need an interface.
  interface PaletteColor {
    tone: string;
    fill: string;
    onFill: string;
    soft: string;
  }
  interface SimplePaletteColorOptions {
    tone?: string;
    fill?: string;
    onFill?: string;
    soft?: string;
  }
  interface Palette {
    control: string;
  }
  interface PaletteOptions {
    control?: string;
  }
}

const ROLES: readonly Role[] = ['primary', 'secondary', 'error', 'success', 'warning', 'info'];

function roles(colours: Readonly<Record<Role, RoleColours>>) {
  return Object.fromEntries(
    ROLES.map((role) => [role, { ...colours[role], dark: colours[role].fill, contrastText: colours[role].onFill }]),
  ) as Record<Role, RoleColours & { dark: string; contrastText: string }>;
}

function palette(scheme: Scheme) {
  return {
    ...roles(scheme.roles),
    background: { default: scheme.ground, paper: scheme.paper },
    text: { primary: scheme.text, secondary: scheme.textQuiet },
    divider: scheme.divider,
    control: scheme.control,
  };
}

const createPageTheme = (name: PageThemeName) =>
  createTheme({
    cssVariables: { colorSchemeSelector: 'media' },
    colorSchemes: { light: { palette: palette(pageScheme(name, 'light')) }, dark: { palette: palette(pageScheme(name, 'dark')) } },
    breakpoints: { values: { xs: 0, sm: 600, md: 900, lg: 1200, xl: 1536 } },
    shape: { borderRadius: RADIUS_PX },
    typography: {
      fontFamily: FONT_FAMILY,
      fontWeightRegular: 400,
      fontWeightMedium: 500,
      fontWeightBold: 600,
      h1: {
        fontSize: '2rem',
        lineHeight: 1.2,
        fontWeight: 600,
        letterSpacing: '-0.01em',
        '@media (max-width:599.95px)': { fontSize: '1.5rem' },
      },
      h2: { fontSize: '1.25rem', lineHeight: 1.3, fontWeight: 600 },
      h3: { fontSize: '1rem', lineHeight: 1.4, fontWeight: 600 },
      h4: { fontSize: '1rem', lineHeight: 1.4, fontWeight: 600 },
      subtitle1: { fontSize: '1.25rem', lineHeight: 1.4, fontWeight: 400 },
      body1: { fontSize: '1rem', lineHeight: 1.5, letterSpacing: 0 },
      body2: { fontSize: '0.875rem', lineHeight: 1.45, letterSpacing: 0 },
      caption: { fontSize: '0.875rem', lineHeight: 1.45, letterSpacing: 0 },
      button: { textTransform: 'none', fontWeight: 600, fontSize: '1rem', letterSpacing: 0 },
    },
    transitions: { duration: { shortest: 150, enteringScreen: 300, leavingScreen: 200 } },
    components: { ...buttonOverrides, ...componentOverrides },
  });

/** The page themes of docs/product/specification.md section 9. Pages use `standard` unless they name another. */
export const pageThemes = Object.fromEntries(
  (Object.keys(PAGE_THEMES) as PageThemeName[]).map((name) => [name, createPageTheme(name)]),
) as Record<PageThemeName, ReturnType<typeof createPageTheme>>;

export const theme = pageThemes.standard;
