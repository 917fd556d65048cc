/**
 * HMRC's checks of a submitted body, tier by tier; a tier runs only if the earlier ones found no fault. See docs/reference/hmrc.md section
 * 3.5.
 */
import { pence, type Pence, type WholePounds } from '@portal/domain/money.ts';
import type { NineBoxes } from '@portal/domain/vat-returns/nine-boxes.ts';
import { toHundredths, parseKeepingLiterals, readDecimal, type Decimal } from './decimal-literal.ts';

export type ReturnFault = { readonly code: string; readonly message: string; readonly path: string };

/** Either the return, or the first tier with errors. */
export type CheckedReturn =
  | { readonly ok: true; readonly periodKey: string; readonly boxes: NineBoxes }
  | { readonly ok: false; readonly tier: 'json' }
  | { readonly ok: false; readonly tier: 'fields' | 'arithmetic' | 'declaration'; readonly faults: readonly ReturnFault[] };

const PENCE_FIELDS = ['vatDueSales', 'vatDueAcquisitions', 'totalVatDue', 'vatReclaimedCurrPeriod', 'netVatDue'] as const;
const POUND_FIELDS = [
  'totalValueSalesExVAT',
  'totalValuePurchasesExVAT',
  'totalValueGoodsSuppliedExVAT',
  'totalAcquisitionsExVAT',
] as const;
const AMOUNT_FIELDS = [...PENCE_FIELDS, ...POUND_FIELDS] as const;
type AmountField = (typeof AMOUNT_FIELDS)[number];

const PERIOD_KEY = /^[#0-9A-Z]{4}$/;

/** Boxes 1 to 4, box 5, and boxes 6 to 9 have their own ranges (in pence here) and their own error messages. */
const AMOUNT_RANGES: Readonly<Record<AmountField, { readonly minPence: bigint; readonly maxPence: bigint; readonly message: string }>> = {
  ...fillFields(PENCE_FIELDS, {
    minPence: -999_999_999_999_999n,
    maxPence: 999_999_999_999_999n,
    message: 'amount should be a monetary value (to 2 decimal places), between -9,999,999,999,999.99 and 9,999,999,999,999.99',
  }),
  netVatDue: {
    minPence: 0n,
    maxPence: 9_999_999_999_999n,
    message: 'amount should be a monetary value (to 2 decimal places), between 0 and 99,999,999,999.99',
  },
  ...fillFields(POUND_FIELDS, {
    minPence: -999_999_999_999_900n,
    maxPence: 999_999_999_999_900n,
    message: 'The value must be between -9999999999999 and 9999999999999',
  }),
};

export function checkReturn(bodyText: string): CheckedReturn {
  const json = parseKeepingLiterals(bodyText);
  if (json === undefined) return { ok: false, tier: 'json' };
  // A JSON value that is not an object counts as an object without fields.
  const body = (typeof json === 'object' && json !== null ? json : {}) as Readonly<Record<string, unknown>>;
  const amounts = readAmounts(body);
  const fieldFaults = checkFields(body, amounts);
  if (fieldFaults.length > 0) return { ok: false, tier: 'fields', faults: fieldFaults };
  const getBoxPence = (field: AmountField) => amounts.get(field)?.pence ?? 0n;
  const arithmeticFaults = checkArithmetic(getBoxPence);
  if (arithmeticFaults.length > 0) return { ok: false, tier: 'arithmetic', faults: arithmeticFaults };
  if (body['finalised'] !== true) {
    const message = 'The return cannot be accepted without a declaration it is finalised.';
    return { ok: false, tier: 'declaration', faults: [{ code: 'NOT_FINALISED', message, path: '/finalised' }] };
  }
  return { ok: true, periodKey: String(body['periodKey']), boxes: toNineBoxes(getBoxPence) };
}

type ParsedAmount = { readonly decimal: Decimal; readonly pence: bigint | undefined };

function readAmounts(body: Readonly<Record<string, unknown>>): Map<AmountField, ParsedAmount> {
  const amounts = new Map<AmountField, ParsedAmount>();
  for (const field of AMOUNT_FIELDS) {
    const decimal = readDecimal(body[field]);
    if (decimal) amounts.set(field, { decimal, pence: toHundredths(decimal) });
  }
  return amounts;
}

/**
 * Returns the faults of all fields in HMRC's order: missing, decimals, types, key format, ranges. Each fault counts once for each field.
 */
function checkFields(body: Readonly<Record<string, unknown>>, amounts: ReadonlyMap<AmountField, ParsedAmount>): ReturnFault[] {
  const faults: ReturnFault[] = [];
  const hasField = (field: string) => Object.hasOwn(body, field);
  for (const field of ['periodKey', ...AMOUNT_FIELDS, 'finalised']) {
    if (!hasField(field)) faults.push({ code: 'MANDATORY_FIELD_MISSING', message: 'a mandatory field is missing', path: `/${field}` });
  }
  for (const field of PENCE_FIELDS) {
    if ((amounts.get(field)?.decimal.scale ?? 0) > 2) faults.push(createInvalidAmountFault(field));
  }
  for (const field of POUND_FIELDS) {
    const amount = amounts.get(field);
    if (amount && (amount.pence === undefined || amount.pence % 100n !== 0n)) faults.push(createInvalidAmountFault(field));
  }
  const periodKey = body['periodKey'];
  if (hasField('periodKey') && typeof periodKey !== 'string') {
    faults.push({ code: 'INVALID_STRING_VALUE', message: 'please provide a string field', path: '/periodKey' });
  }
  for (const field of AMOUNT_FIELDS) {
    if (hasField(field) && !amounts.has(field)) {
      faults.push({ code: 'INVALID_NUMERIC_VALUE', message: 'please provide a numeric field', path: `/${field}` });
    }
  }
  if (hasField('finalised') && typeof body['finalised'] !== 'boolean') {
    faults.push({ code: 'UNMAPPED_PLAY_ERROR', message: 'error.expected.jsboolean', path: '/finalised' });
  }
  if (typeof periodKey === 'string' && !PERIOD_KEY.test(periodKey)) {
    faults.push({ code: 'PERIOD_KEY_INVALID', message: 'period key should be a 4 character string', path: '/periodKey' });
  }
  for (const [field, { decimal }] of amounts) {
    if (isOutOfRange(field, decimal) && !faults.some(({ path }) => path === `/${field}`)) faults.push(createInvalidAmountFault(field));
  }
  return faults;
}

function checkArithmetic(getBoxPence: (field: AmountField) => bigint): ReturnFault[] {
  const faults: ReturnFault[] = [];
  const difference = getBoxPence('totalVatDue') - getBoxPence('vatReclaimedCurrPeriod');
  if (getBoxPence('netVatDue') !== (difference < 0n ? -difference : difference)) {
    faults.push({
      code: 'VAT_NET_VALUE',
      message:
        'netVatDue should be the difference between the largest and the smallest values among totalVatDue and vatReclaimedCurrPeriod',
      path: '/netVatDue',
    });
  }
  if (getBoxPence('totalVatDue') !== getBoxPence('vatDueSales') + getBoxPence('vatDueAcquisitions')) {
    faults.push({
      code: 'VAT_TOTAL_VALUE',
      message: 'totalVatDue should be equal to the sum of vatDueSales and vatDueAcquisitions',
      path: '/totalVatDue',
    });
  }
  return faults;
}

/** Compares decimals, because a value out of range may not be a whole number of pence. */
function isOutOfRange(field: AmountField, { units, scale }: Decimal): boolean {
  const { minPence, maxPence } = AMOUNT_RANGES[field];
  const shift = 10n ** BigInt(Math.abs(scale - 2));
  const [value, factor] = scale >= 2 ? [units, shift] : [units * shift, 1n];
  return value < minPence * factor || value > maxPence * factor;
}

function createInvalidAmountFault(field: AmountField): ReturnFault {
  return { code: 'INVALID_MONETARY_AMOUNT', message: AMOUNT_RANGES[field].message, path: `/${field}` };
}

function toNineBoxes(getBoxPence: (field: AmountField) => bigint): NineBoxes {
  const getPence = (field: (typeof PENCE_FIELDS)[number]): Pence => pence(Number(getBoxPence(field)));
  const getPounds = (field: (typeof POUND_FIELDS)[number]) => (Number(getBoxPence(field) / 100n) + 0) as WholePounds;
  return {
    box1: getPence('vatDueSales'),
    box2: getPence('vatDueAcquisitions'),
    box3: getPence('totalVatDue'),
    box4: getPence('vatReclaimedCurrPeriod'),
    box5: getPence('netVatDue'),
    box6: getPounds('totalValueSalesExVAT'),
    box7: getPounds('totalValuePurchasesExVAT'),
    box8: getPounds('totalValueGoodsSuppliedExVAT'),
    box9: getPounds('totalAcquisitionsExVAT'),
  };
}

function fillFields<Key extends string, Value>(keys: readonly Key[], value: Value): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, value])) as Record<Key, Value>;
}
