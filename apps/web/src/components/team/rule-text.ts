/** Describes a rule that assigns imported clients. */
import type { AssignmentRule } from '@portal/contract/assignment-rules.ts';
import { TAXES, TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';

/** Describes the clients that the rule applies to: "Postcodes in SW, W", "Clients with VAT" or "Names from A–F, M". */
export function describeCondition({ by, values }: Pick<AssignmentRule, 'by' | 'values'>): string {
  if (by === 'postcode') return `Postcodes in ${values.join(', ')}`;
  if (by === 'letter') return `Names that begin with ${values.map((value) => value.replace('-', '–')).join(', ')}`;
  return `Clients with ${TAXES.filter((tax) => values.includes(tax))
    .map((tax) => TAX_NAMES[tax])
    .join(' or ')}`;
}
