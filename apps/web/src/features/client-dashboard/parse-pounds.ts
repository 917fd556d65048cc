import { pence, type Pence } from '@portal/domain/money.ts';

/** Parses pounds as users type them ("1,234.50", "-80"). Returns undefined for anything else. */
export function parsePounds(text: string): Pence | undefined {
  const match = /^(-?)\s*£?\s*(\d{1,3}(?:,?\d{3})*|\d+)(?:\.(\d{2}))?$/.exec(text.trim());
  if (!match) return undefined;
  const [, sign = '', pounds = '', penceDigits = '00'] = match;
  const amount = Number(pounds.replaceAll(',', '')) * 100 + Number(penceDigits);
  return Number.isSafeInteger(amount) ? pence(sign === '-' && amount !== 0 ? -amount : amount) : undefined;
}
