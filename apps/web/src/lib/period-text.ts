/** Formats a VAT period in words, as documents do. */
export { formatPeriod as periodText } from '@portal/domain/plain-date.ts';
