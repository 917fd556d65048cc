import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Parsed } from '../../parsed.ts';
import { toTaxYear } from '../calendar/tax-year.ts';
import { getAccountsOfficeCheckLetter, parseAccountsOfficeReference } from './accounts-office-reference.ts';
import { parseArn } from './arn.ts';
import { parseCompanyNumber } from './company-number.ts';
import { parseEmployerPayeReference } from './employer-paye-reference.ts';
import { HMRC_BANK_ACCOUNTS } from './hmrc-bank-account.ts';
import { parseNino } from './nino.ts';
import { getCorporationTaxPaymentReference, getPayePaymentReference, getSelfAssessmentPaymentReference } from './payment-reference.ts';
import { parseUtr, getUtrCheckDigit } from './utr.ts';
import { parseVrn } from './vrn.ts';

function unwrapParsed<Value>(read: Parsed<Value>): Value {
  if (!read.ok) throw new Error(read.reason);
  return read.value;
}

describe('every parser', () => {
  const parsers: Readonly<Record<string, (text: string) => Parsed<unknown>>> = {
    parseVrn,
    parseUtr,
    parseNino,
    parseEmployerPayeReference,
    parseAccountsOfficeReference,
    parseCompanyNumber,
    parseArn,
  };
  const close = fc.string({ unit: fc.constantFrom(...'0123456789ABCDGHKNPRSX/ -.kſßı٣\u0000\n'), maxLength: 16 });

  it.each(Object.entries(parsers))('%s never throws, explains rejections, and accepts its own output', (_, parse) => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), close, fc.string({ unit: 'binary' })), (text) => {
        const parsed = parse(text);
        if (!parsed.ok) return parsed.reason.length > 10;
        const printedText = typeof parsed.value === 'string' ? parsed.value : (parsed.value as { normalised: string }).normalised;
        expect(parse(printedText)).toMatchObject({ ok: true });
        expect(parse(` ${printedText.toLowerCase()} `)).toEqual(parse(printedText));
        return true;
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(Object.entries(parsers))('%s rejects letters of other alphabets', (_, parse) => {
    for (const text of ['ſC123456', 'AB12345ß', 'ΑB123456C', 'TΑRN0000001', '１２３４５６７８']) expect(parse(text).ok, text).toBe(false);
  });
});

describe('a UTR', () => {
  // Sources: hmrc/reference-checker ModulusCheckerSpec; hmrc/domain Modulus11Check; scripts/examples/published-examples.json ex-011 to
  // ex-014, ex-064, ex-065.
  it.each([
    ['2234567890', '2234567890'],
    ['1234567895', '1234567895'],
    ['10971 72564', '1097172564'],
    ['1097172564K', '1097172564'],
    ['k1097172564', '1097172564'],
    ['1955839661', '1955839661'],
  ])('%s is %s', (text, utr) => {
    expect(parseUtr(text)).toEqual({ ok: true, value: utr });
  });

  it.each([
    '5550000621',
    '1097172564KZ',
    '1nv@l-d~&*!',
    '1234567890',
    '3123123123',
    '109717256',
    '10971725644',
    'K1097172564K',
    '1097172564A',
    '',
    'K',
  ])('rejects %s', (text) => {
    expect(parseUtr(text).ok).toBe(false);
  });

  it('has one valid first digit for any nine others', () => {
    expect(getUtrCheckDigit('484849494')).toBe('1');
    expect(getUtrCheckDigit('48484949')).toBeUndefined();
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), (number) => {
        const last = String(number).padStart(9, '0');
        return parseUtr(`${getUtrCheckDigit(last)}${last}`).ok;
      }),
    );
  });
});

describe('a National Insurance number', () => {
  // Source: hmrc/domain Nino.scala.
  it.each(['AB123456C', 'ab 12 34 56 c', 'CE123456D', 'ZY123456A'])('%s is valid', (text) => {
    expect(unwrapParsed(parseNino(text))).toBe(text.toUpperCase().replaceAll(' ', ''));
  });

  const impossibleNinos = [
    'QQ123456C',
    'BG123456A',
    'GB123456A',
    'NK123456A',
    'KN123456A',
    'TN123456A',
    'NT123456A',
    'ZZ123456A',
    'AO123456A',
  ];
  it.each([...impossibleNinos, 'DA123456A', 'AB123456E', 'AB123456', 'AB12345C', 'A1123456C', ''])('rejects %s', (text) => {
    expect(parseNino(text).ok).toBe(false);
  });
});

describe('an employer PAYE reference', () => {
  // Source: hmrc/assets-frontend employer-paye-reference.
  it.each([
    ['123/AB456', '123/AB456'],
    ['123/a', '123/A'],
    ['123 / ab456', '123/AB456'],
    ['961/1234567890', '961/1234567890'],
  ])('%s is %s', (text, reference) => {
    expect(parseEmployerPayeReference(text)).toEqual({ ok: true, value: reference });
  });

  it.each(['123AB456', '12/AB456', '1234/AB', '123/', '123/12345678901', '123/A/B', '123/A_B', '123/AB-456', '12.3/AB', ''])(
    'rejects %s',
    (text) => {
      expect(parseEmployerPayeReference(text).ok).toBe(false);
    },
  );
});

describe('an Accounts Office reference', () => {
  // Source: hmrc/reference-checker EpayeReferenceChecker and its spec. HMRC's printed samples fail the check letter.
  it.each([
    ['123PW12345678', true, 'W'],
    ['450PA0096437K', true, 'A'],
    ['123 pw 1234 5678', true, 'W'],
    ['450PE00923437', true, 'E'],
    ['120PY19064375', true, 'Y'],
    ['853PW0076584X', true, 'W'],
    ['846PS00928342', true, 'S'],
    ['961PA0045782X', true, 'A'],
    ['961PF10305739', true, 'F'],
    ['123PH45678900', true, 'H'],
    ['120PA12697495', false, 'M'],
    ['123PA00012345', false, 'G'],
    ['123PA12345678', false, 'W'],
    ['123PA00045678', false, getAccountsOfficeCheckLetter('123PA00045678')],
  ])('%s: valid is %s, the letter should be %s', (text, valid, letter) => {
    expect(parseAccountsOfficeReference(text).ok).toBe(valid);
    expect(getAccountsOfficeCheckLetter(text)).toBe(letter);
  });

  it('is padded with zeros after the letters', () => {
    const letter = getAccountsOfficeCheckLetter('123PA00012345');
    expect(parseAccountsOfficeReference(`123P${letter}12345`)).toEqual({ ok: true, value: `123P${letter}00012345` });
  });

  it('of office 961 ends in eight digits, or in X after a zero', () => {
    const withLetter = (tail: string): string => `961P${getAccountsOfficeCheckLetter(`961PA${tail}`)}${tail}`;
    expect(parseAccountsOfficeReference(withLetter('12345678')).ok).toBe(true);
    expect(parseAccountsOfficeReference(withLetter('0123456X')).ok).toBe(true);
    expect(parseAccountsOfficeReference(withLetter('1123456X')).ok).toBe(false);
    expect(parseAccountsOfficeReference(withLetter('1123456K')).ok).toBe(false);
  });

  it.each([
    '123PW12345678Z',
    '8465L04697138',
    '120PW003179212324',
    '123XH4!@£900',
    '123QW12345678',
    'PW12345678',
    '123PW123456789',
    '123PW',
    '',
  ])('rejects %s', (text) => {
    expect(parseAccountsOfficeReference(text).ok).toBe(false);
    expect(getAccountsOfficeCheckLetter(text)).toBeUndefined();
  });
});

describe('a company number', () => {
  // Sources: chguide.co.uk; scripts/examples/published-examples.json ex-078, ex-079.
  it.each([
    ['00445790', '00445790'],
    ['445790', '00445790'],
    ['sc123456', 'SC123456'],
    ['SC12345', 'SC012345'],
    ['OC 300001', 'OC300001'],
    ['R0000123', 'R0000123'],
    ['IP12345R', 'IP12345R'],
    ['RS007818', 'RS007818'],
    ['NI012345', 'NI012345'],
    ['SL00123A', 'SL00123A'],
    ['SP2345RS', 'SP2345RS'],
  ])('%s is %s', (text, number) => {
    expect(parseCompanyNumber(text)).toEqual({ ok: true, value: number });
  });

  it.each(['123456789', 'XX123456', 'SC1234567', 'S1234567', 'SC12345A6', '00000000', '0', 'SC', 'ABC', ''])('rejects %s', (text) => {
    expect(parseCompanyNumber(text).ok).toBe(false);
  });
});

describe('an agent reference number', () => {
  // Source: hmrc/domain AgentBusinessUtr and Modulus23Check. The numbers belong to HMRC's test agents.
  it.each(['TARN0000001', 'tarn 0000001', 'AARN0000002', 'T-ARN-0000001'])('%s is valid', (text) => {
    expect(parseArn(text).ok).toBe(true);
  });

  it.each(['XARN0000001', 'TARN000001', 'TARN00000011', 'ARN0000001', ''])('rejects %s', (text) => {
    expect(parseArn(text).ok).toBe(false);
  });
});

describe('a payment reference', () => {
  const utr = unwrapParsed(parseUtr('1097172564'));
  const office = unwrapParsed(parseAccountsOfficeReference('123PW12345678'));

  it('of each tax has the form HMRC accepts', () => {
    expect(getSelfAssessmentPaymentReference(utr)).toMatch(/^[0-9]{10}K$/);
    expect(getCorporationTaxPaymentReference(utr, 1)).toEqual({ ok: true, value: '1097172564A00101A' });
    // Source: HMRC's P30 layout. YY is the year in which the tax year ends.
    expect(getPayePaymentReference(office, toTaxYear(2018), 1)).toEqual({ ok: true, value: '123PW123456781901' });
    expect(getPayePaymentReference(office, toTaxYear(2024), 3)).toEqual({ ok: true, value: '123PW123456782503' });
    expect(getPayePaymentReference(office, toTaxYear(1999), 12)).toEqual({ ok: true, value: '123PW123456780012' });
  });

  it('is rejected for periods and months that do not exist', () => {
    for (const invalidValue of [-1, 100, 1.5]) expect(getCorporationTaxPaymentReference(utr, invalidValue).ok).toBe(false);
    for (const invalidValue of [0, 13, 1.5]) expect(getPayePaymentReference(office, toTaxYear(2024), invalidValue).ok).toBe(false);
  });

  it('goes to an account with a verification date', () => {
    for (const account of Object.values(HMRC_BANK_ACCOUNTS)) expect(account.verified_on).toMatch(/^2026-/);
  });
});
