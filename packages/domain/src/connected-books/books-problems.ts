/** Reasons why connected books can't be used as they are, and the user's options. */
import { formatVrn } from '../uk-tax/references/vrn.ts';
import { BOOKS_PROVIDER_NAMES, type BooksProviderName } from './books-providers.ts';

export const BOOKS_PROBLEM_CODES = [
  'flat_rate',
  'not_registered',
  'other_vat_number',
  'vat_number_unconfirmed',
  'demo',
  'no_access',
  'basis_unknown',
  'cash_unsupported',
  'rates_unknown',
  'amounts_too_large',
  'file_in_use',
  'documents_unreadable',
  'unavailable',
] as const;
export type BooksProblemCode = (typeof BOOKS_PROBLEM_CODES)[number];

/** `found` is the VAT number in the bookkeeping software, `expected` the company's number at HMRC. */
export type BooksProblemFacts = {
  readonly program: BooksProviderName;
  readonly organisation: string;
  readonly found: string | null;
  readonly expected: string | null;
  /** True for a practice client's books, which are read for its accountant. */
  readonly isOfClient?: boolean;
  /** The client's name. */
  readonly client?: string;
  /** The details missing from documents that we can't use. */
  readonly unreadable: readonly string[];
};

const MAX_NAMED = 5;

export type BooksProblemMessage = { readonly title: string; readonly text: string };

/** Describes the problem and how to fix it. */
export function describeBooksProblem(code: BooksProblemCode, facts: BooksProblemFacts): BooksProblemMessage {
  const providerName = BOOKS_PROVIDER_NAMES[facts.program];
  const { organisation, isOfClient = false } = facts;
  const possessive = isOfClient ? 'the client’s' : 'your';
  const capitalisedPossessive = isOfClient ? 'The client’s' : 'Your';
  switch (code) {
    case 'flat_rate':
      return {
        title: `${organisation} uses the flat rate scheme`,
        text: `A flat rate scheme return isn’t the sum of ${possessive} documents, so we can’t work it out from ${providerName}. Upload a file with the figures instead. If the scheme no longer applies, change ${possessive} VAT settings in ${providerName}, then check again.`,
      };
    case 'not_registered':
      return {
        title: `${organisation} has no VAT number in ${providerName}`,
        text: `Enter ${possessive} VAT number and VAT scheme in ${providerName}’s VAT settings, then check again. If this is the wrong organisation, choose another one.`,
      };
    case 'other_vat_number':
      return {
        title: `${organisation} has a different VAT number`,
        text: `${providerName} has VAT number ${formatNumber(facts.found)}, but ${isOfClient ? `the client has ${formatNumber(facts.expected)} here` : `HMRC has ${formatNumber(facts.expected)} for your company`}. Choose the organisation with that number, or correct the number in ${providerName} and check again.`,
      };
    case 'vat_number_unconfirmed':
      return describeUnconfirmedNumber(facts, providerName);
    case 'demo':
      return {
        title: `${organisation} is a demo company`,
        text: `Its documents are sample data from ${providerName}, so a return can’t be prepared from them. Choose ${isOfClient ? 'the client’s' : 'your own'} organisation.`,
      };
    case 'no_access':
      return {
        title: `${providerName} doesn’t let us read ${organisation}`,
        text: `${isOfClient ? 'The role of the person who connected' : 'Your role in'}${isOfClient ? '' : ` ${providerName}`} may not give access to its invoices, bank transactions and reports, or its subscription may have ended. Ask someone with full access to connect, or get a role with that access and check again.`,
      };
    case 'basis_unknown':
      return {
        title: isOfClient ? 'Which VAT accounting method does the client use?' : 'Which VAT accounting method do you use?',
        text: `${providerName} doesn’t tell us whether VAT is accounted for on invoice dates or on payments. Answer once and we’ll remember it.`,
      };
    case 'cash_unsupported':
      return {
        title: 'Cash accounting needs a file upload',
        text: `${providerName} doesn’t tell us which invoice each payment belongs to in a form we can rely on. Upload a file of your VAT transactions instead.`,
      };
    case 'rates_unknown':
      return {
        title: 'We need to know what some VAT rates mean',
        text: describeUnknownRates(facts, capitalisedPossessive),
      };
    case 'amounts_too_large':
      return {
        title: 'An amount is too large for a VAT return',
        text: `The total of ${possessive} documents in ${providerName} has more than 13 digits before the decimal point. Correct the amount there, then check again.`,
      };
    case 'documents_unreadable':
      return {
        title: facts.unreadable.length === 1 ? 'A document can’t be used' : `${facts.unreadable.length} documents can’t be used`,
        text: `We can’t update the figures until this is corrected in ${providerName}. Correct it, then check again. ${facts.unreadable.slice(0, MAX_NAMED).join(' ')}`,
      };
    case 'file_in_use':
      return {
        title: 'The figures come from an uploaded file',
        text: `A file was uploaded after ${providerName} was connected, so the figures come from the file. To use ${providerName} again, choose “Check for changes now”.`,
      };
    case 'unavailable':
      return {
        title: `We couldn’t read ${providerName}`,
        text: `The figures from the last check are unchanged. We’ll try again within the hour, or you can check again now.`,
      };
  }
}

function describeUnknownRates({ program, organisation }: BooksProblemFacts, possessive: string): string {
  const advice = `we’ll remember it for ${organisation}.`;
  return program === 'freeagent'
    ? `Some purchases in FreeAgent are marked both as “Reverse Charge”, “EC Services” or “EC Goods” and as out of scope of VAT, so we can’t tell whether VAT is due on them. Tell us once what they are and ${advice}`
    : `${possessive} documents use custom VAT rates that were added in ${BOOKS_PROVIDER_NAMES[program]}. Tell us once what each rate is and ${advice}`;
}

function describeUnconfirmedNumber(
  { organisation, found, client = 'The client' }: BooksProblemFacts,
  providerName: string,
): BooksProblemMessage {
  return {
    title: `${client} has no VAT number here`,
    text: `${organisation} has VAT number ${formatNumber(found)} in ${providerName}. Enter ${client}’s VAT number here, or confirm that ${organisation} is ${client}. We won’t read its books until you do.`,
  };
}

function formatNumber(vatNumber: string | null): string {
  return vatNumber === null ? 'no number' : formatVrn(toVatDigits(vatNumber));
}

/** Returns the nine digits of a VAT number written in the usual form: "GB 123 4567 89". */
export function toVatDigits(text: string): string {
  return text.replaceAll(/\D/g, '').slice(0, 9);
}
