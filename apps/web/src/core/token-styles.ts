/** The design tokens as CSS variables. */
import { DARK, FONT_FAMILY, LIGHT, PAGE_THEMES, getPageScheme, RADIUS_PX, type PageThemeName, type Scheme } from './tokens.ts';

type Variables = Readonly<Record<string, string>>;

function toVariables(scheme: Scheme): Variables {
  const { roles, ...others } = scheme;
  const roleVariables = Object.entries(roles).flatMap(([role, colours]) =>
    Object.entries(colours).map(([shade, value]) => [`${role}-${shade}`, value] as const),
  );
  return Object.fromEntries([...roleVariables, ...Object.entries(others)]);
}

const toCss = (values: Variables): string =>
  Object.entries(values)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');

/** Returns the variables whose values differ from the standard theme. */
function listDifferences(name: PageThemeName, mode: 'light' | 'dark'): Variables {
  const standardVariables = toVariables(getPageScheme('standard', mode));
  return Object.fromEntries(
    Object.entries(toVariables(getPageScheme(name, mode))).filter(([key, value]) => standardVariables[key] !== value),
  );
}

function renderPageThemes(mode: 'light' | 'dark'): string {
  const names = (Object.keys(PAGE_THEMES) as PageThemeName[]).filter((name) => name !== 'standard');
  return names.map((name) => `[data-page-theme='${name}']{${toCss(listDifferences(name, mode))}}`).join('');
}

/** The order of the cascade layers: later layers win, and styles outside any layer win over all of them. */
const LAYERS = '@layer base,primitives,components;';

export function renderTokenStyles(): string {
  const shape = `--radius:${RADIUS_PX}px;--font:${FONT_FAMILY}`;
  const light = `:root{color-scheme:light dark;${shape};${toCss(toVariables(LIGHT))}}${renderPageThemes('light')}`;
  return `${LAYERS}${light}@media (prefers-color-scheme:dark){:root{${toCss(toVariables(DARK))}}${renderPageThemes('dark')}}`;
}
