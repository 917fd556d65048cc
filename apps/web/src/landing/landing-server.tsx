/** Draws the landing page while the app is built; the server fills the brand's name into the result as into every page. */
import { ORGANIC } from '@portal/domain/partners/partner-name.ts';
import { PARTNERS } from '@portal/domain/partners/partner-table.ts';
import { renderToString } from 'react-dom/server';
import { Landing } from './landing.tsx';

export type DrawnPage = { readonly file: string; readonly drawnFor: string; readonly isDoor: boolean; readonly markup: string };

/** The landing page as each partner's visitors see it, and each partner's own page: `landing/swoop.html`, `doors/swoop.html`. */
export function drawPages(): DrawnPage[] {
  const names = PARTNERS.filter(({ product }) => product === 'instant_vat').map(({ name }) => name);
  return names.flatMap((drawnFor) =>
    [false, true]
      .filter((isDoor) => !isDoor || drawnFor !== ORGANIC)
      .map((isDoor) => ({
        file: drawnFor === ORGANIC ? 'landing.html' : `${isDoor ? 'doors' : 'landing'}/${drawnFor}.html`,
        drawnFor,
        isDoor,
        markup: renderToString(<Landing brand="%PORTAL_BRAND%" sandbox="%PORTAL_SANDBOX%" drawnFor={drawnFor} isDoor={isDoor} />),
      })),
  );
}
