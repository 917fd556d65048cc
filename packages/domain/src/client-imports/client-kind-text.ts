/** Parses the client type as written in client lists, or infers it from the other details. */
import { createRejection, type Parsed, parsed } from '../parsed.ts';
import type { ClientKind, ClientReference } from './imported-client.ts';

export const CLIENT_KINDS_TEXT = 'company, llp, partnership, sole_trader, individual, trust or charity';

const KIND_BY_NAME: Readonly<Record<string, ClientKind>> = {
  company: 'company',
  limitedcompany: 'company',
  companylimited: 'company',
  ltdcompany: 'company',
  ltdco: 'company',
  ltd: 'company',
  limited: 'company',
  plc: 'company',
  publiclimitedcompany: 'company',
  privatelimitedcompany: 'company',
  privatelimitedcompanyltd: 'company',
  limitedbyguarantee: 'company',
  companylimitedbyguarantee: 'company',
  corporation: 'company',
  cic: 'company',
  communityinterestcompany: 'company',
  llp: 'llp',
  limitedliabilitypartnership: 'llp',
  limitedliabilitypartnershipllp: 'llp',
  partnership: 'partnership',
  generalpartnership: 'partnership',
  ordinarypartnership: 'partnership',
  lp: 'partnership',
  limitedpartnership: 'partnership',
  soletrader: 'sole_trader',
  soleproprietor: 'sole_trader',
  soleproprietorship: 'sole_trader',
  selfemployed: 'sole_trader',
  individual: 'individual',
  privateindividual: 'individual',
  person: 'individual',
  personal: 'individual',
  personaltax: 'individual',
  selfassessment: 'individual',
  selfassessmentclient: 'individual',
  landlord: 'individual',
  unincorporatedlandlord: 'individual',
  director: 'individual',
  trust: 'trust',
  estate: 'trust',
  charity: 'charity',
  cio: 'charity',
  charitableincorporatedorganisation: 'charity',
};

/** Types that don't specify the legal form. */
const GENERIC_KINDS = new Set(['organisation', 'organization', 'business', 'client', 'other', 'entity', 'businessclient', 'none']);

/** Returns undefined for a type that doesn't indicate the legal form. */
export function parseKind(text: string): Parsed<ClientKind | undefined> {
  // FreeAgent uses UkLimitedCompany in its API, and “UK Limited Company” on its screens.
  const name = text
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '')
    .replace(/^uk/, '');
  const kind = KIND_BY_NAME[name];
  if (kind !== undefined) return parsed(kind);
  return GENERIC_KINDS.has(name) ? parsed(undefined) : createRejection(`Use one of ${CLIENT_KINDS_TEXT}.`);
}

type References = Readonly<Record<ClientReference, string | null>>;

/**
 * Returns true for “Company”: some products distinguish only between people and companies, so without a company number it may be another
 * kind of body.
 */
export function isBroadKind(text: string | undefined): boolean {
  return text?.trim().toLowerCase() === 'company';
}

/**
 * Returns true for LLP numbers, which begin with OC, SO or NC (Companies House URI customer guide). Some products call an LLP a company.
 */
export function isLlpNumber(companyNumber: string | null): boolean {
  return companyNumber !== null && /^(?:OC|SO|NC)/i.test(companyNumber.trim());
}

/** Infers the client type of a row that doesn't state one, if possible. */
export function inferKind(name: string, { company_number: number, nino, vrn }: References): ClientKind | undefined {
  if (number !== null) return isLlpNumber(number) ? 'llp' : 'company';
  if (/\bllp$/i.test(name)) return 'llp';
  if (/\b(?:ltd|limited|plc|cic)\.?$/i.test(name)) return 'company';
  if (/\bpartnership$/i.test(name)) return 'partnership';
  if (/\b(?:trust|settlement)$/i.test(name)) return 'trust';
  if (nino !== null) return vrn === null ? 'individual' : 'sole_trader';
  return undefined;
}
