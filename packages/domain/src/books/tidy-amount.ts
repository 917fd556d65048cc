/** Converts amounts, as written by users or software, to the template's format. */

const DASHES_PATTERN = /^[-\u2010-\u2015\u2212]+$/;
const DECIMAL_COMMA = /^\d{1,3}(?:\.\d{3})+,\d{1,2}$|^\d+,\d{1,2}$/;

/**
 * Returns the amount without pound sign, thousands separators and spaces, and with its minus sign in front: “£1,234.50 CR” isn't an amount,
 * but “(£1,234.50)”, “£(1,234.50)”, “−£1 234,50”, “1.234,50-” and “GBP 1,234.50” are. A dash alone counts as empty, as in accounts. Text that isn’t an
 * amount, or is in another currency, is returned unchanged, so that the parser can explain the problem.
 */
export function normaliseAmount(text: string): string {
  const compact = text
    .replaceAll(/[\s'\u2019]/gu, '')
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/^£\(/, '(');
  if (DASHES_PATTERN.test(compact)) return '';
  const [, opening = '', inner = '', closing = ''] = /^(\(?)(.*?)(\)?)$/.exec(compact) ?? [];
  if ((opening === '') !== (closing === '')) return text;
  const amountText = inner.replace(/^([-+]?)(?:£|gbp)([-+]?)/i, '$1$2').replace(/gbp$/i, '');
  const [, leadingSign = '', digits = '', trailingSign = ''] = /^([-+]?)([\d.,]+)(-?)$/.exec(amountText) ?? [];
  const number = toDecimalPoint(digits);
  const signs = [opening, leadingSign === '+' ? '' : leadingSign, trailingSign].filter((sign) => sign !== '').length;
  if (number === undefined || signs > 1) return text;
  return signs === 1 ? `-${number}` : number;
}

function toDecimalPoint(digits: string): string | undefined {
  if (DECIMAL_COMMA.test(digits)) return digits.replaceAll('.', '').replace(',', '.');
  if (!/^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d*)?$|^\.\d+$/.test(digits)) return undefined;
  // In a file with decimal commas, “1.200” is 1,200.
  if (/^[1-9]\d{0,2}\.\d{3}$/.test(digits)) return digits;
  const [pounds = '', decimals = ''] = digits.replaceAll(',', '').split('.');
  // Some software writes four decimals; only zeros can be dropped without changing the amount.
  const pence = decimals.replace(/^(\d{2})0+$/, '$1');
  return pence === '' ? pounds : `${pounds === '' ? '0' : pounds}.${pence}`;
}
