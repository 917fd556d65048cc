import { parseAccountsOfficeReference, accountsOfficeCheckLetter } from '@portal/domain/uk-tax/references/accounts-office-reference.ts';
import { parseCompanyNumber } from '@portal/domain/uk-tax/references/company-number.ts';
import { parseEmployerPayeReference } from '@portal/domain/uk-tax/references/employer-paye-reference.ts';
import { parseNino } from '@portal/domain/uk-tax/references/nino.ts';
import {
  corporationTaxPaymentReference,
  payePaymentReference,
  selfAssessmentPaymentReference,
  vatPaymentReference,
} from '@portal/domain/uk-tax/references/payment-reference.ts';
import { parseUtr, utrCheckDigit } from '@portal/domain/uk-tax/references/utr.ts';
import { tidyReference } from '@portal/domain/uk-tax/references/tidy-reference.ts';
import { parseNineDigitVrn, parseVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { accepted, has, integer, taxYear, text } from './example-input.ts';
import type { Answer, ExampleInput } from './example-input.ts';

/** Topics on references: validity, the reason for rejection, and the payment reference. */
export const REFERENCE_TOPICS: Readonly<Record<string, (input: ExampleInput) => Answer>> = {
  vrn: (input) => {
    const read = parseVrn(text(input, 'vrn'));
    if (!read.ok) {
      const normalised = tidyReference(text(input, 'vrn')).replace(/^(?:GB|XI)/, '');
      return { valid: false, algorithm: null, kind: null, normalised, mtd_vrn: null, reason: read.reason };
    }
    return {
      valid: true,
      algorithm: read.value.algorithm,
      kind: read.value.kind,
      normalised: read.value.normalised,
      mtd_vrn: read.value.vrn,
    };
  },
  utr: (input) => {
    if (has(input, 'last9')) {
      const lastNine = tidyReference(text(input, 'last9'));
      const first = utrCheckDigit(lastNine);
      return { utr: first === undefined ? null : first + lastNine, expected_first_digit: first ?? null, valid: first !== undefined };
    }
    const written = text(input, has(input, 'reference') ? 'reference' : 'utr');
    const read = parseUtr(written);
    const digits = tidyReference(written).replace(/^K|K$/g, '');
    const first = digits.length === 10 ? utrCheckDigit(digits.slice(1)) : undefined;
    return { valid: read.ok, utr: read.ok ? read.value : null, expected_first_digit: first ?? null, reason: read.ok ? null : read.reason };
  },
  accounts_office_reference: (input) => {
    const read = parseAccountsOfficeReference(text(input, 'reference'));
    return {
      valid: read.ok,
      check_letter: accountsOfficeCheckLetter(text(input, 'reference')) ?? null,
      reference: read.ok ? read.value : null,
    };
  },
  nino: (input) => ({ valid: parseNino(text(input, 'nino')).ok }),
  paye_employer_reference: (input) => ({ valid: parseEmployerPayeReference(text(input, 'reference')).ok }),
  company_number: (input) => {
    const read = parseCompanyNumber(text(input, 'number'));
    return { valid: read.ok && read.value === text(input, 'number'), normalised: read.ok ? read.value : null };
  },
  paye_payment_reference: (input) => {
    const office = accepted(parseAccountsOfficeReference(text(input, 'accounts_office_reference')), 'accounts_office_reference');
    return withLength(accepted(payePaymentReference(office, taxYear(input, 'tax_year'), integer(input, 'month', 1, 12)), 'month'));
  },
  payment_reference: (input) => {
    if (has(input, 'vrn')) return withLength(vatPaymentReference(accepted(parseNineDigitVrn(text(input, 'vrn')), 'vrn')));
    const utr = accepted(parseUtr(text(input, 'utr')), 'utr');
    if (!has(input, 'period_number')) return withLength(selfAssessmentPaymentReference(utr));
    return withLength(accepted(corporationTaxPaymentReference(utr, integer(input, 'period_number', 0, 99)), 'period_number'));
  },
};

function withLength(reference: string): Answer {
  return { reference, length: reference.length };
}
