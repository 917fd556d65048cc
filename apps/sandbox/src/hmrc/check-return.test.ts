/** Tests the body checks of a submission, tier by tier. See docs/reference/hmrc.md section 3.5. */
import { describe, expect, it } from 'vitest';
import { checkReturn } from './check-return.ts';

/** JSON literals, because the checks count decimal places in the text. */
const VALID_RETURN: Readonly<Record<string, string>> = {
  periodKey: '"18A1"',
  vatDueSales: '100.00',
  vatDueAcquisitions: '-30.00',
  totalVatDue: '70',
  vatReclaimedCurrPeriod: '170.5',
  netVatDue: '100.50',
  totalValueSalesExVAT: '300.00',
  totalValuePurchasesExVAT: '-300',
  totalValueGoodsSuppliedExVAT: '0',
  totalAcquisitionsExVAT: '0',
  finalised: 'true',
};

function buildBody(change: Readonly<Record<string, string | undefined>>): string {
  const members = Object.entries({ ...VALID_RETURN, ...change }).filter(([, literal]) => literal !== undefined);
  return `{${members.map(([name, literal]) => `"${name}":${literal}`).join(',')}}`;
}

function listFaults(change: Readonly<Record<string, string | undefined>>): string[] {
  const checkedReturn = checkReturn(buildBody(change));
  if (checkedReturn.ok) return [];
  return checkedReturn.tier === 'json' ? ['json'] : checkedReturn.faults.map(({ code, path }) => `${code} ${path}`);
}

describe('a valid return', () => {
  it.each([
    ['unchanged', {}],
    [
      'exact where floats are not: 0.1 + 0.2 = 0.3',
      { vatDueSales: '0.1', vatDueAcquisitions: '0.2', totalVatDue: '0.3', vatReclaimedCurrPeriod: '0', netVatDue: '0.3' },
    ],
    ['with numbers in strings, which the JSON reader takes', { vatDueSales: '"100"', netVatDue: '"100.50"' }],
    ['with exponents', { vatDueSales: '1e2', totalValueSalesExVAT: '3E+2' }],
    ['with whole pounds written with zero pence', { totalValueSalesExVAT: '300.000' }],
    ['with members HMRC does not know', { comment: '"ignored"' }],
    ['with a key of digits and #', { periodKey: '"#001"' }],
    [
      'at the ends of the ranges',
      {
        vatDueSales: '9999999999999.99',
        vatDueAcquisitions: '-0.01',
        totalVatDue: '9999999999999.98',
        vatReclaimedCurrPeriod: '9900000000000',
        netVatDue: '99999999999.98',
        totalValueSalesExVAT: '-9999999999999',
      },
    ],
  ])('passes %s', (_name, change) => {
    expect(listFaults(change)).toEqual([]);
  });

  it('is read exactly into pence and whole pounds', () => {
    const checkedReturn = checkReturn(buildBody({}));
    expect(checkedReturn.ok && [checkedReturn.periodKey, checkedReturn.boxes]).toEqual([
      '18A1',
      { box1: 10_000, box2: -3_000, box3: 7_000, box4: 17_050, box5: 10_050, box6: 300, box7: -300, box8: 0, box9: 0 },
    ]);
  });
});

describe('tier 2: the body is JSON', () => {
  it.each(['', 'periodKey=18A1', '{"periodKey":', '{"vatDueSales":01}'])('rejects %j', (body) => {
    expect(checkReturn(body)).toEqual({ ok: false, tier: 'json' });
  });
});

describe('tier 3: fields', () => {
  it.each([
    ['a missing field', { netVatDue: undefined }, ['MANDATORY_FIELD_MISSING /netVatDue']],
    ['three decimals, though the last are zero', { vatDueSales: '100.000' }, ['INVALID_MONETARY_AMOUNT /vatDueSales']],
    ['pence in a box of whole pounds', { totalAcquisitionsExVAT: '0.50' }, ['INVALID_MONETARY_AMOUNT /totalAcquisitionsExVAT']],
    ['null for an amount', { vatDueSales: 'null' }, ['INVALID_NUMERIC_VALUE /vatDueSales']],
    ['words for an amount', { vatDueSales: '"ten"' }, ['INVALID_NUMERIC_VALUE /vatDueSales']],
    ['a number for the key', { periodKey: '1801' }, ['INVALID_STRING_VALUE /periodKey']],
    ['a text for the declaration', { finalised: '"true"' }, ['UNMAPPED_PLAY_ERROR /finalised']],
    ['small letters in the key', { periodKey: '"18a1"' }, ['PERIOD_KEY_INVALID /periodKey']],
    ['five characters in the key', { periodKey: '"18A12"' }, ['PERIOD_KEY_INVALID /periodKey']],
    ['more than box 1 holds', { vatDueSales: '10000000000000.00' }, ['INVALID_MONETARY_AMOUNT /vatDueSales']],
    ['a negative box 5', { netVatDue: '-100.50' }, ['INVALID_MONETARY_AMOUNT /netVatDue']],
    ['more than box 5 holds', { netVatDue: '100000000000' }, ['INVALID_MONETARY_AMOUNT /netVatDue']],
    ['more than box 6 holds', { totalValueSalesExVAT: '10000000000000' }, ['INVALID_MONETARY_AMOUNT /totalValueSalesExVAT']],
    ['two breaches of one box once', { vatDueSales: '10000000000000.001' }, ['INVALID_MONETARY_AMOUNT /vatDueSales']],
    [
      'all faults of the tier, in HMRC’s order, and none of a later tier',
      { periodKey: '"x"', vatDueSales: '1.999', totalVatDue: '"?"', totalValueSalesExVAT: undefined, finalised: 'false', netVatDue: '1' },
      [
        'MANDATORY_FIELD_MISSING /totalValueSalesExVAT',
        'INVALID_MONETARY_AMOUNT /vatDueSales',
        'INVALID_NUMERIC_VALUE /totalVatDue',
        'PERIOD_KEY_INVALID /periodKey',
      ],
    ],
  ])('rejects %s', (_name, change, faults) => {
    expect(listFaults(change)).toEqual(faults);
  });

  it('reports all eleven fields as missing in JSON that is not an object', () => {
    const checkedReturn = checkReturn('[]');
    expect(!checkedReturn.ok && checkedReturn.tier === 'fields' && checkedReturn.faults.length).toBe(11);
  });
});

describe('tiers 4 and 5: arithmetic, then the declaration', () => {
  it.each([
    ['box 3 that is not 1 + 2', { totalVatDue: '70.01', netVatDue: '100.49' }, ['VAT_TOTAL_VALUE /totalVatDue']],
    ['box 5 that is not the difference', { netVatDue: '100.49' }, ['VAT_NET_VALUE /netVatDue']],
    [
      'both together, and not yet the declaration',
      { totalVatDue: '71', finalised: 'false' },
      ['VAT_NET_VALUE /netVatDue', 'VAT_TOTAL_VALUE /totalVatDue'],
    ],
    ['a return that is not declared final', { finalised: 'false' }, ['NOT_FINALISED /finalised']],
  ])('rejects %s', (_name, change, faults) => {
    expect(listFaults(change)).toEqual(faults);
  });
});
