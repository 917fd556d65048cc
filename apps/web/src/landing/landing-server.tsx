/** Prerenders the landing pages during the build. The server fills in the brand's name, as in every page. */
import { ORGANIC } from '@portal/domain/partners/partner-name.ts';
import { PARTNERS } from '@portal/domain/partners/partner-table.ts';
import { renderToString } from 'react-dom/server';
import { Landing } from './landing.tsx';
import { OpenTaxLanding } from './open-tax-landing.tsx';

export type DrawnPage = { readonly file: string; readonly drawnFor: string; readonly isDoor: boolean; readonly markup: string };

/** All landing pages: one per partner with the sign-up dialog, and each partner's own: `landing/swoop.html`, `doors/swoop.html`. */
export function drawPages(): DrawnPage[] {
  return [...drawInstantVat(), ...drawOpenTax()];
}

/** OpenTax's landing page, for everyone and for each OpenTax partner: `open-tax.html`, `open-tax/nomi.html`. */
function drawOpenTax(): DrawnPage[] {
  const names = PARTNERS.filter(({ product }) => product === 'open_tax').map(({ name }) => name);
  return [ORGANIC, ...names].map((drawnFor) => ({
    file: drawnFor === ORGANIC ? 'open-tax.html' : `open-tax/${drawnFor}.html`,
    drawnFor,
    isDoor: false,
    markup: renderToString(<OpenTaxLanding brand="%PORTAL_BRAND%" sandbox="%PORTAL_SANDBOX%" drawnFor={drawnFor} />),
  }));
}

function drawInstantVat(): DrawnPage[] {
  const names = PARTNERS.filter(({ product }) => product === 'instant_vat').map(({ name }) => name);
  return names.flatMap((drawnFor) =>
    [false, true]
      .filter((isDoor) => !isDoor || drawnFor !== ORGANIC)
      .map((isDoor) => ({
        file: drawnFor === ORGANIC ? 'landing.html' : `${isDoor ? 'doors' : 'landing'}/${drawnFor}.html`,
        drawnFor,
        isDoor,
        markup: renderToString(
          <Landing brand="%PORTAL_BRAND%" sandbox="%PORTAL_SANDBOX%" drawnFor={drawnFor} isDoor={isDoor} renderDemo={() => null} />,
        ),
      })),
  );
}
