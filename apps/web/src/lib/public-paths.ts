import type { OPEN_TAX_HELP, PAGES } from '@portal/contract/pages.ts';

type PublicPage =
  | 'home'
  | 'loginV2'
  | 'privacy'
  | 'instantVatLanding'
  | 'openTaxLanding'
  | 'openTaxSignup'
  | 'openTaxContact'
  | 'instantVatHelp'
  | 'contact';

/**
 * Paths for the prerendered pages. The table of all pages would add 4% to their scripts and grow with every screen. The type guarantees
 * that these paths match the table.
 */
export const PUBLIC_PATHS: { readonly [Name in PublicPage]: (typeof PAGES)[Name]['path'] } & {
  readonly openTaxHelp: typeof OPEN_TAX_HELP;
} = {
  home: '/home',
  loginV2: '/v2/auth/login',
  privacy: '/privacy',
  instantVatLanding: '/v2/instant-vat',
  openTaxLanding: '/v2/open-tax',
  openTaxSignup: '/v2/open-tax/signup',
  openTaxContact: '/v2/open-tax/contact-us',
  openTaxHelp: '/v2/open-tax/help',
  instantVatHelp: '/v2/instant-vat/help',
  contact: '/contact',
};
