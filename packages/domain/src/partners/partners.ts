/** Finds a partner of the table, and what its name says about the sign-up dialog. */
import { cleanPartnerName, ORGANIC } from './partner-name.ts';
import { PARTNERS } from './partner-table.ts';
import type { Partner, Product } from './partner.ts';

/** The partner of a name, in any case, for a product; organic where nobody has that name. The only source of the fee rate. */
export function findPartner(name: string, product: Product = 'instant_vat'): Partner {
  const wanted = cleanPartnerName(name);
  const found = PARTNERS.find((partner) => partner.name === wanted && partner.product === product);
  const organic = found ?? PARTNERS.find((partner) => partner.name === ORGANIC);
  if (!organic) throw new RangeError('the partner table has no organic row');
  return organic;
}

/** Words in a partner's name that put a provider's button first, in the default order of the buttons (specification 2.1). */
const PROVIDER_IDENTIFIERS = {
  xero: ['xero'],
  intuit: ['intuit', 'quickbooks'],
  google: ['google'],
  microsoft: ['microsoft'],
} as const;

/** A provider that the sign-up dialog has a button for. */
export type SignUpProvider = keyof typeof PROVIDER_IDENTIFIERS;

export type SignUpOrder = { readonly emailFirst: boolean; readonly providers: readonly SignUpProvider[] };

const DEFAULT_ORDER = Object.keys(PROVIDER_IDENTIFIERS) as SignUpProvider[];

/** In which order the sign-up dialog shows its ways. A name of no row that contains a provider has that provider's order and the organic fee. */
export function signUpOrderOf(name: string): SignUpOrder {
  const wanted = cleanPartnerName(name);
  const named = DEFAULT_ORDER.filter((provider) => PROVIDER_IDENTIFIERS[provider].some((identifier) => wanted.includes(identifier)));
  return {
    emailFirst: named.length === 0 && findPartner(wanted).buttons === 'email_first',
    providers: [...named, ...DEFAULT_ORDER.filter((provider) => !named.includes(provider))],
  };
}
