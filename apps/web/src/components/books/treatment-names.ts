import type { Treatment } from '@portal/domain/books/books-row.ts';

/** Accountants' names for the VAT treatments. */
export const TREATMENT_NAMES: Readonly<Record<Treatment, string>> = {
  standard: 'Standard rate',
  reduced: 'Reduced rate',
  zero: 'Zero rate',
  exempt: 'Exempt',
  no_vat: 'No VAT',
  outside_uk: 'Outside the UK',
  domestic_reverse_charge: 'Domestic reverse charge',
  imported_services: 'Imported services',
  postponed_import_vat: 'Postponed import VAT',
  import_vat_paid: 'Import VAT paid',
  ni_acquisition: 'NI acquisition',
  ni_dispatch: 'NI dispatch',
  capital: 'Capital',
  blocked: 'Blocked',
  bad_debt_relief: 'Bad debt relief',
  adjustment_output: 'Output adjustment',
  adjustment_input: 'Input adjustment',
};
