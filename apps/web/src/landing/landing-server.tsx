/** Draws the landing page while the app is built; the server fills the brand's name into the result as into every page. */
import { renderToString } from 'react-dom/server';
import { Landing } from './landing.tsx';

export { tokenStyles } from '../app/token-styles.ts';

export function renderLanding(): string {
  return renderToString(<Landing brand="%PORTAL_BRAND%" sandbox="%PORTAL_SANDBOX%" />);
}
