/** Draws the landing page while the app is built; the server fills the brand's name into the result as into every page. */
import { renderToString } from 'react-dom/server';
import { DARK, FONT_FAMILY, LIGHT, RADIUS_PX } from '../app/tokens.ts';
import { Landing } from './landing.tsx';

export function renderLanding(): string {
  return renderToString(<Landing brand="%PORTAL_BRAND%" sandbox="%PORTAL_SANDBOX%" />);
}

function variables(scheme: typeof LIGHT): string {
  const roles = Object.entries(scheme.roles).flatMap(([role, colours]) =>
    Object.entries(colours).map(([shade, value]) => [`${role}-${shade}`, value]),
  );
  const { roles: _roles, ...others } = scheme;
  return [...roles, ...Object.entries(others)].map(([name, value]) => `--${name}:${value}`).join(';');
}

/** The app's tokens as CSS variables, for the landing page's own style sheet. */
export function tokenStyles(): string {
  const shape = `--radius:${RADIUS_PX}px;--font:${FONT_FAMILY}`;
  return `:root{color-scheme:light dark;${shape};${variables(LIGHT)}}@media (prefers-color-scheme:dark){:root{${variables(DARK)}}}`;
}
