/** Formats a VAT period in words, as in documents. */
export { formatPeriod as periodText } from '@portal/domain/plain-date.ts';
