import { parseAccountsOfficeReference, getAccountsOfficeCheckLetter } from '@portal/domain/uk-tax/references/accounts-office-reference.ts';
import { parseCompanyNumber } from '@portal/domain/uk-tax/references/company-number.ts';
import { parseEmployerPayeReference } from '@portal/domain/uk-tax/references/employer-paye-reference.ts';
import { parseNino } from '@portal/domain/uk-tax/references/nino.ts';
import {
  getCorporationTaxPaymentReference,
  getPayePaymentReference,
  getSelfAssessmentPaymentReference,
  getVatPaymentReference,
} from '@portal/domain/uk-tax/references/payment-reference.ts';
import { parseUtr, getUtrCheckDigit } from '@portal/domain/uk-tax/references/utr.ts';
import { normaliseReference } from '@portal/domain/uk-tax/references/normalise-reference.ts';
import { parseNineDigitVrn, parseVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { unwrapParsed, hasKey, readInteger, readTaxYear, readText } from './example-input.ts';
import type { ExampleResult, ExampleInput } from './example-input.ts';

/** Topics about references: validity, the reason for rejection, and the payment reference. */
export const REFERENCE_TOPICS: Readonly<Record<string, (input: ExampleInput) => ExampleResult>> = {
  vrn: (input) => {
    const parsed = parseVrn(readText(input, 'vrn'));
    if (!parsed.ok) {
      const normalised = normaliseReference(readText(input, 'vrn')).replace(/^(?:GB|XI)/, '');
      return { valid: false, algorithm: null, kind: null, normalised, mtd_vrn: null, reason: parsed.reason };
    }
    return {
      valid: true,
      algorithm: parsed.value.algorithm,
      kind: parsed.value.kind,
      normalised: parsed.value.normalised,
      mtd_vrn: parsed.value.vrn,
    };
  },
  utr: (input) => {
    if (hasKey(input, 'last9')) {
      const lastNine = normaliseReference(readText(input, 'last9'));
      const checkDigit = getUtrCheckDigit(lastNine);
      return {
        utr: checkDigit === undefined ? null : checkDigit + lastNine,
        expected_first_digit: checkDigit ?? null,
        valid: checkDigit !== undefined,
      };
    }
    const rawText = readText(input, hasKey(input, 'reference') ? 'reference' : 'utr');
    const parsed = parseUtr(rawText);
    const digits = normaliseReference(rawText).replace(/^K|K$/g, '');
    const checkDigit = digits.length === 10 ? getUtrCheckDigit(digits.slice(1)) : undefined;
    return {
      valid: parsed.ok,
      utr: parsed.ok ? parsed.value : null,
      expected_first_digit: checkDigit ?? null,
      reason: parsed.ok ? null : parsed.reason,
    };
  },
  accounts_office_reference: (input) => {
    const parsed = parseAccountsOfficeReference(readText(input, 'reference'));
    return {
      valid: parsed.ok,
      check_letter: getAccountsOfficeCheckLetter(readText(input, 'reference')) ?? null,
      reference: parsed.ok ? parsed.value : null,
    };
  },
  nino: (input) => ({ valid: parseNino(readText(input, 'nino')).ok }),
  paye_employer_reference: (input) => ({ valid: parseEmployerPayeReference(readText(input, 'reference')).ok }),
  company_number: (input) => {
    const parsed = parseCompanyNumber(readText(input, 'number'));
    return { valid: parsed.ok && parsed.value === readText(input, 'number'), normalised: parsed.ok ? parsed.value : null };
  },
  paye_payment_reference: (input) => {
    const office = unwrapParsed(parseAccountsOfficeReference(readText(input, 'accounts_office_reference')), 'accounts_office_reference');
    return toReferenceWithLength(
      unwrapParsed(getPayePaymentReference(office, readTaxYear(input, 'tax_year'), readInteger(input, 'month', 1, 12)), 'month'),
    );
  },
  payment_reference: (input) => {
    if (hasKey(input, 'vrn'))
      return toReferenceWithLength(getVatPaymentReference(unwrapParsed(parseNineDigitVrn(readText(input, 'vrn')), 'vrn')));
    const utr = unwrapParsed(parseUtr(readText(input, 'utr')), 'utr');
    if (!hasKey(input, 'period_number')) return toReferenceWithLength(getSelfAssessmentPaymentReference(utr));
    return toReferenceWithLength(
      unwrapParsed(getCorporationTaxPaymentReference(utr, readInteger(input, 'period_number', 0, 99)), 'period_number'),
    );
  },
};

function toReferenceWithLength(reference: string): ExampleResult {
  return { reference, length: reference.length };
}
