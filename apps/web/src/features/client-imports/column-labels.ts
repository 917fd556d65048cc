/** Labels for the columns of a client file. */
import { IMPORT_COLUMNS, type ImportTarget } from '@portal/domain/client-imports/import-columns.ts';
import { getFieldLabel } from './import-labels.ts';

const PARTIAL_LABELS: Readonly<Partial<Record<ImportTarget, string>>> = {
  first_name: 'First name',
  last_name: 'Last name',
  company_utr: 'UTR (companies only)',
  personal_utr: 'UTR (individuals only)',
  nino: 'National Insurance number (individuals only)',
  status: 'Status (active, archived or prospect)',
  is_archived: 'Archived (yes or no)',
  is_prospect: 'Prospect (yes or no)',
  vat_group: 'VAT group (representative, member or no)',
  is_vat_representative: 'VAT group: representative member (yes or no)',
  vat_group_number: 'VAT group: the group’s VAT number',
  taxable_turnover: 'Taxable turnover of 12 months (£, excluding VAT)',
  turnover_to: 'Turnover: last day of the 12 months',
  taxes: 'Taxes (exactly these)',
  services: 'Services (in addition to the taxes for the client type)',
};

const TARGETS: readonly ImportTarget[] = IMPORT_COLUMNS.flatMap((column): readonly ImportTarget[] => {
  if (column === 'name') return ['name', 'first_name', 'last_name'];
  if (column === 'status') return ['status', 'is_archived', 'is_prospect'];
  if (column === 'taxes') return ['taxes', 'services'];
  if (column === 'vat_group') return ['vat_group', 'is_vat_representative', 'vat_group_number'];
  return column === 'utr' ? ['utr', 'company_utr', 'personal_utr'] : [column];
});

/** What a column can contain, with related options together. */
export const TARGET_OPTIONS = TARGETS.map((value) => ({ value, label: PARTIAL_LABELS[value] ?? getFieldLabel(value) }));

/** Describes how many columns will be imported. */
export function formatColumnTargets(targets: readonly (ImportTarget | null)[]): string {
  const chosenCount = targets.filter((target) => target !== null).length;
  const ignoredCount = targets.length - chosenCount;
  if (ignoredCount === 0) return 'Check what each column contains.';
  return `${chosenCount} of ${targets.length} columns will be imported. Choose what the others contain, or leave them out.`;
}
