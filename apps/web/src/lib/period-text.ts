/** A VAT period in words, as the papers also write it. */
export { formatPeriod as periodText } from '@portal/domain/plain-date.ts';
