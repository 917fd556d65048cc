/** The app's tokens as CSS variables, for style sheets that stand without MUI: the landing page's and the demo banner's. */
import { DARK, FONT_FAMILY, LIGHT, RADIUS_PX } from './tokens.ts';

function variables(scheme: typeof LIGHT): string {
  const roles = Object.entries(scheme.roles).flatMap(([role, colours]) =>
    Object.entries(colours).map(([shade, value]) => [`${role}-${shade}`, value]),
  );
  const { roles: _roles, ...others } = scheme;
  return [...roles, ...Object.entries(others)].map(([name, value]) => `--${name}:${value}`).join(';');
}

export function tokenStyles(): string {
  const shape = `--radius:${RADIUS_PX}px;--font:${FONT_FAMILY}`;
  return `:root{color-scheme:light dark;${shape};${variables(LIGHT)}}@media (prefers-color-scheme:dark){:root{${variables(DARK)}}}`;
}
