/** Prerenders the landing pages during the build. As on every page, the server fills in the brand's name. */
import { ORGANIC_PARTNER } from '@portal/domain/partners/partner-name.ts';
import { PARTNERS } from '@portal/domain/partners/partner-table.ts';
import { renderToString } from 'react-dom/server';
import { Landing } from './landing.tsx';
import { OpenTaxLanding } from './open-tax-landing.tsx';
import { SANDBOX_PLACEHOLDERS } from '../ui/sandbox-notice.tsx';
import { PartnerPage } from './partner-page.tsx';

/** Placeholders that the server fills in. */
const SITE = { brand: '%PORTAL_BRAND%', sandbox: SANDBOX_PLACEHOLDERS };

export type LandingPage = {
  readonly file: string;
  readonly prerenderedFor: string;
  /** The built document into which the markup is inserted. */
  readonly document: 'landing' | 'partner-page' | 'open-tax';
  readonly markup: string;
};

/** All landing pages: one per partner with the sign-up dialog, and each partner's own page. */
export function renderLandingPages(): LandingPage[] {
  return [...renderInstantVatPages(), ...renderOpenTaxPages()];
}

/** OpenTax's landing page, for everyone and for each OpenTax partner: `open-tax.html`, `open-tax/nomi.html`. */
function renderOpenTaxPages(): LandingPage[] {
  const names = PARTNERS.filter(({ product }) => product === 'open_tax').map(({ name }) => name);
  return [ORGANIC_PARTNER, ...names].map((prerenderedFor): LandingPage => ({
    file: prerenderedFor === ORGANIC_PARTNER ? 'open-tax.html' : `open-tax/${prerenderedFor}.html`,
    prerenderedFor,
    document: 'open-tax',
    markup: renderToString(<OpenTaxLanding {...SITE} prerenderedFor={prerenderedFor} />),
  }));
}

function renderInstantVatPages(): LandingPage[] {
  const names = PARTNERS.filter(({ product }) => product === 'instant_vat').map(({ name }) => name);
  return names.flatMap((prerenderedFor) => {
    const page = { prerenderedFor, renderDemo: () => null };
    return [false, true]
      .filter((isPartnerPage) => !isPartnerPage || prerenderedFor !== ORGANIC_PARTNER)
      .map((isPartnerPage): LandingPage => ({
        file: prerenderedFor === ORGANIC_PARTNER ? 'landing.html' : `${isPartnerPage ? 'partners' : 'landing'}/${prerenderedFor}.html`,
        prerenderedFor,
        document: isPartnerPage ? 'partner-page' : 'landing',
        markup: renderToString(isPartnerPage ? <PartnerPage {...SITE} {...page} /> : <Landing {...SITE} {...page} />),
      }));
  });
}
