/** Our look for MUI's components: borders instead of shadows, darker tones for text and buttons, a focus ring that is always visible. */
import type { Components, CssVarsTheme, Theme } from '@mui/material/styles';
import type { Role } from './tokens.ts';

type Overrides = Components<Omit<Theme, 'components' | 'palette'> & CssVarsTheme>;

const ROLES: readonly Role[] = ['primary', 'secondary', 'error', 'success', 'warning', 'info'];

const colour = (role: Role, shade: 'tone' | 'fill' | 'onFill' | 'soft'): string => `var(--mui-palette-${role}-${shade})`;

export const FOCUS_RING = {
  outline: `3px solid ${colour('primary', 'tone')}`,
  outlineOffset: 2,
} as const;

export const buttonOverrides = {
  MuiButtonBase: { defaultProps: { disableRipple: true }, styleOverrides: { root: { '&.Mui-focusVisible': FOCUS_RING } } },
  MuiButton: {
    defaultProps: { disableElevation: true, size: 'large', variant: 'contained' },
    styleOverrides: {
      root: {
        maxWidth: 300,
        whiteSpace: 'normal',
        lineHeight: 1.2,
        variants: [
          { props: { size: 'large' as const }, style: { minHeight: 48, padding: '8px 24px' } },
          { props: { size: 'medium' as const }, style: { minHeight: 48, padding: '8px 20px' } },
          { props: { size: 'small' as const }, style: { minHeight: 36, padding: '4px 14px', fontSize: '0.875rem' } },
          ...ROLES.flatMap((role) => [
            {
              props: { variant: 'contained' as const, color: role },
              style: {
                backgroundColor: colour(role, 'fill'),
                color: colour(role, 'onFill'),
                '&:hover': { backgroundColor: `color-mix(in srgb, ${colour(role, 'fill')} 88%, black)` },
              },
            },
            {
              props: { variant: 'outlined' as const, color: role },
              style: {
                color: colour(role, 'tone'),
                borderColor: colour(role, 'tone'),
                '&:hover': { backgroundColor: colour(role, 'soft') },
              },
            },
            {
              props: { variant: 'text' as const, color: role },
              style: { color: colour(role, 'tone'), '&:hover': { backgroundColor: colour(role, 'soft') } },
            },
          ]),
          // The label of a disabled button must stay readable: people read it to learn what comes next.
          ...(['outlined', 'text'] as const).map((variant) => ({
            props: { variant },
            style: { '&.Mui-disabled': { color: 'var(--mui-palette-text-secondary)' } },
          })),
          {
            props: { variant: 'contained' as const },
            style: { '&.Mui-disabled': { backgroundColor: 'var(--mui-palette-divider)', color: 'var(--mui-palette-text-secondary)' } },
          },
        ],
      },
    },
  },
} satisfies Overrides;

export const componentOverrides = {
  MuiCssBaseline: {
    styleOverrides: {
      body: { fontVariantNumeric: 'tabular-nums', minWidth: 320 },
      'a:focus-visible, [tabindex]:focus-visible, summary:focus-visible': FOCUS_RING,
      'h1[tabindex="-1"]:focus-visible, main:focus-visible': { outline: 'none' },
      '@media (prefers-reduced-motion: reduce)': {
        // Use `none`: with any duration, however short, an inherited colour moves down the page one element per frame.
        '*, *::before, *::after': { animationDuration: '0.01ms !important', transition: 'none !important' },
      },
    },
  },
  // The border and the darkened page behind are enough to set dialogs apart.
  MuiDialog: { styleOverrides: { paper: { border: '1px solid var(--mui-palette-divider)', boxShadow: 'none' } } },
  MuiMenu: { styleOverrides: { paper: { border: '1px solid var(--mui-palette-divider)', boxShadow: '0 4px 16px rgb(0 0 0 / 12%)' } } },
  MuiPaper: { defaultProps: { elevation: 0 }, styleOverrides: { root: { backgroundImage: 'none' } } },
  MuiLink: {
    defaultProps: { underline: 'always' },
    styleOverrides: { root: { color: colour('primary', 'tone'), textUnderlineOffset: 3 } },
  },
  MuiOutlinedInput: {
    styleOverrides: {
      root: {
        backgroundColor: 'var(--mui-palette-background-paper)',
        '&.Mui-focused .MuiOutlinedInput-notchedOutline': { borderColor: colour('primary', 'tone') },
        '&.Mui-error .MuiOutlinedInput-notchedOutline': { borderColor: colour('error', 'tone') },
      },
      notchedOutline: { borderColor: 'var(--mui-palette-control)' },
      input: {
        height: 24,
        padding: '12px 14px',
        '&::placeholder': { color: 'var(--mui-palette-text-secondary)', opacity: 1 },
      },
    },
  },
  MuiCheckbox: { styleOverrides: { root: { color: 'var(--mui-palette-control)', '&.Mui-checked': { color: colour('primary', 'tone') } } } },
  MuiRadio: { styleOverrides: { root: { color: 'var(--mui-palette-control)', '&.Mui-checked': { color: colour('primary', 'tone') } } } },
  MuiTableCell: {
    styleOverrides: {
      root: { fontSize: '0.875rem', lineHeight: 1.45, padding: '11px 16px', borderColor: 'var(--mui-palette-divider)' },
      head: { fontWeight: 600, color: 'var(--mui-palette-text-secondary)', backgroundColor: 'var(--mui-palette-background-paper)' },
      sizeSmall: { padding: '7px 12px' },
    },
  },
  MuiTab: { styleOverrides: { root: { textTransform: 'none', '&.Mui-selected': { color: colour('primary', 'tone') } } } },
  MuiTooltip: { styleOverrides: { tooltip: { fontSize: '0.875rem' } } },
} satisfies Overrides;
