import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findVrnAlgorithm, formatVrn, parseNineDigitVrn, parseVrn } from './vrn.ts';

describe('a VAT registration number', () => {
  // Sources: hmrc/reference-checker ModulusCheckerSpec; python-stdnum gb/vat and tests/test_gb_vat.doctest;
  // scripts/examples/published-examples.json ex-001 to ex-010, ex-063.
  it.each([
    ['101747696', { normalised: '101747696', algorithm: 'mod97', kind: 'standard' }],
    ['101747641', { normalised: '101747641', algorithm: 'mod9755' }],
    ['980780684', { algorithm: 'mod97' }],
    ['GB 980 7806 84', { normalised: '980780684', vrn: '980780684' }],
    ['xi980-7806-84', { normalised: '980780684' }],
    ['100190874', { algorithm: 'mod9755' }],
    ['831495816', { vrn: '831495816' }],
    ['220430231', { algorithm: 'mod97' }],
    ['242338087388', { kind: 'branch trader', vrn: '242338087', branch: '388', normalised: '242338087388' }],
    ['GD100', { kind: 'government department', vrn: null, algorithm: null }],
    ['gb gd 499', { normalised: 'GD499' }],
    ['HA500', { kind: 'health authority' }],
    ['HA999', { normalised: 'HA999' }],
    ['GD888810003', { normalised: 'GD100' }],
    ['000000097', { algorithm: 'mod97' }],
    ['000000042', { algorithm: 'mod9755' }],
  ])('%s is valid', (text, expected) => {
    expect(parseVrn(text)).toMatchObject({ ok: true, value: expected });
  });

  it.each([
    '123456789',
    '802311781',
    '001234567',
    '000000000',
    'GD500',
    'HA201',
    'HA499',
    'GD8888' + '10099',
    'GD1',
    'GB',
    'GBGB980780684',
    '98078068',
    '9807806841',
    '98078068A',
    '٩٨٠٧٨٠٦٨٤',
    '',
  ])('rejects %s with a reason', (text) => {
    const parsed = parseVrn(text);
    expect(parsed.ok ? '' : parsed.reason).toMatch(/\w{3}/);
  });

  it('ends in 00 rather than 97 when the sum is a multiple of 97', () => {
    // 8 x 9 + 7 x 3 + 2 x 2 = 97: the check is 97 - 97 = 0 (REFCHK subtracts only while the sum is above 97).
    expect(findVrnAlgorithm('930000200')).toBe('mod97');
    expect(findVrnAlgorithm('930000297')).toBeNull();
  });

  it('agrees with the equivalent rule: the weighted sum of all nine digits mod 97 is 0 or 42', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999 }), (number) => {
        const digits = String(number).padStart(9, '0');
        const sum = [8, 7, 6, 5, 4, 3, 2, 10, 1].reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
        const isExpected = sum % 97 === 0 || sum % 97 === 42;
        // The two rules differ only where the check digits would be 97: there, HMRC's rule uses 00.
        fc.pre(digits.slice(7) !== '97' && digits.slice(7) < '97');
        expect(findVrnAlgorithm(digits) !== null).toBe(isExpected);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is accepted as printed', () => {
    const valid = fc
      .integer({ min: 0, max: 9_999_999 })
      .map((number) => String(number).padStart(7, '0'))
      .chain((head) =>
        fc.constantFrom(
          ...Array.from({ length: 98 }, (_, check) => head + String(check).padStart(2, '0')).filter(
            (vrn) => findVrnAlgorithm(vrn) !== null,
          ),
        ),
      );
    fc.assert(
      fc.property(valid, (vrn) => {
        expect(parseVrn(formatVrn(vrn))).toMatchObject({ ok: true, value: { normalised: vrn } });
        expect(parseVrn(`GB${vrn}001`)).toMatchObject({ ok: true, value: { vrn, branch: '001' } });
      }),
    );
  });

  it('has nine digits for the VAT API', () => {
    expect(parseNineDigitVrn('GB 980 7806 84')).toMatchObject({ ok: true, value: { vrn: '980780684' } });
    expect(parseNineDigitVrn('GD100')).toMatchObject({ ok: false });
    expect(parseNineDigitVrn('')).toMatchObject({ ok: false });
  });
});
