import { formatPounds } from '../money.ts';
import { formatDate, type PlainDate } from '../plain-date.ts';
import { formatVrn } from '../uk-tax/references/vrn.ts';
import { AGREEMENT_VERSIONS, type AgreementVersion } from './agreement-versions.ts';
import type { Price } from './price-refund.ts';

export type AgreementFacts = {
  readonly brand: string;
  readonly companyName: string;
  readonly vrn: string;
  readonly periodStart: PlainDate;
  readonly periodEnd: PlainDate;
  readonly price: Price;
  readonly feeRateBps: number;
  readonly payWithinHours: number;
  /** The day HMRC received a return filed with other software; null if we filed it. */
  readonly foundOn: PlainDate | null;
  readonly shortfallNoticeDays: number;
  readonly maxInstalments: number;
  /** Whether Direct Debit is set up here. If not, the agreement doesn't promise it. */
  readonly offersDirectDebit: boolean;
};

/** An agreement's text and its version number. */
export type Agreement = { readonly version: number; readonly text: string };

/** Returns the newest version of the agreement as plain text, one paragraph per line. The text is frozen with the quote. */
export function writeAgreement(facts: AgreementFacts): Agreement {
  const newestVersion = AGREEMENT_VERSIONS.at(-1);
  if (!newestVersion) throw new RangeError('no version of the agreement');
  return { version: newestVersion.version, text: fillAgreement(newestVersion, facts) };
}

/** Returns a version's text, filled in for one refund. Throws if the version contains an unknown placeholder. */
export function fillAgreement({ paragraphs }: AgreementVersion, facts: AgreementFacts): string {
  const values = toTemplateValues(facts);
  return paragraphs.join('\n').replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const value = values[name];
    if (value === undefined) throw new RangeError(`the agreement has no value for ${name}`);
    return value;
  });
}

function toTemplateValues({ price, foundOn, ...facts }: AgreementFacts): Readonly<Record<string, string>> {
  const isFound = foundOn !== null;
  return {
    brand: facts.brand,
    company: facts.companyName,
    vrn: formatVrn(facts.vrn),
    period: `${formatDate(facts.periodStart)} to ${formatDate(facts.periodEnd)}`,
    refund: formatPounds(price.refund),
    fee: formatPounds(price.fee),
    net: formatPounds(price.net),
    rate: String(facts.feeRateBps / 100),
    hours: String(facts.payWithinHours),
    basis: foundOn === null ? '' : `, by the return that HMRC received on ${formatDate(foundOn)} and has shown to us`,
    filedElsewhere: isFound ? ', filed with other software,' : '',
    notRepaid: isFound ? 'that HMRC has not repaid it and has not notified you of a change to it, ' : '',
    noticeDays: String(facts.shortfallNoticeDays),
    maxInstalments: String(facts.maxInstalments),
    directDebit: facts.offersDirectDebit
      ? ', or by Direct Debit if you have set one up. We email you before each Direct Debit, and the Direct Debit Guarantee protects you'
      : '',
    mandateCondition: facts.offersDirectDebit ? ' and, where we ask for one, you have set up a Direct Debit' : '',
  };
}
