/** Looks up partners, and derives the order of the sign-up buttons from a partner's name. */
import { normalisePartnerName, ORGANIC_PARTNER } from './partner-name.ts';
import { PARTNERS } from './partner-table.ts';
import type { Partner, Product } from './partner.ts';

/** Returns a product's partner by name, in upper or lower case; organic if not found. The only source of the fee rate. */
export function getPartner(name: string, product: Product = 'instant_vat'): Partner {
  const normalisedName = normalisePartnerName(name);
  const foundPartner = PARTNERS.find((partner) => partner.name === normalisedName && partner.product === product);
  const partnerOrOrganic = foundPartner ?? PARTNERS.find((partner) => partner.name === ORGANIC_PARTNER);
  if (!partnerOrOrganic) throw new RangeError('the partner table has no organic row');
  return partnerOrOrganic;
}

/**
 * Words in a partner's name that put a provider's button first, listed in default button order (docs/product/specification.md section 2.1).
 */
const PROVIDER_IDENTIFIERS = {
  xero: ['xero'],
  intuit: ['intuit', 'quickbooks'],
  google: ['google'],
  microsoft: ['microsoft'],
} as const;

/** A provider with a button in the sign-up dialog. */
export type SignUpProvider = keyof typeof PROVIDER_IDENTIFIERS;

export type SignUpOrder = { readonly emailFirst: boolean; readonly providers: readonly SignUpProvider[] };

const DEFAULT_PROVIDER_ORDER = Object.keys(PROVIDER_IDENTIFIERS) as SignUpProvider[];

/** Returns the order of the sign-up methods. An unknown name that contains a provider gets that provider's order and the organic fee. */
export function getSignUpOrder(name: string): SignUpOrder {
  const normalisedName = normalisePartnerName(name);
  const matchingProviders = DEFAULT_PROVIDER_ORDER.filter((provider) =>
    PROVIDER_IDENTIFIERS[provider].some((identifier) => normalisedName.includes(identifier)),
  );
  return {
    emailFirst: matchingProviders.length === 0 && getPartner(normalisedName).buttonOrder === 'email_first',
    providers: [...matchingProviders, ...DEFAULT_PROVIDER_ORDER.filter((provider) => !matchingProviders.includes(provider))],
  };
}
