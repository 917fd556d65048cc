import { clients } from '@portal/db/schema/schema.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';

const HAS_TAX_COLUMNS = { vat: clients.hasVat, paye: clients.hasPaye, ct: clients.hasCt, sa: clients.hasSa } as const;

/** Returns an SQL condition on `clients`. */
export function hasTax(tax: Tax) {
  return HAS_TAX_COLUMNS[tax];
}
