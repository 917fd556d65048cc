import type { Tax } from '@portal/domain/uk-tax/tax.ts';

export const TAX_NAMES: Readonly<Record<Tax, string>> = {
  vat: 'VAT',
  paye: 'PAYE',
  ct: 'Corporation tax',
  sa: 'Self Assessment',
};
