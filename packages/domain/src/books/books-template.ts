/** The CSV template for traders: the header and one example of each treatment. */
import { type BooksColumn, type BooksKind, type Treatment, BOOKS_COLUMNS, TREATMENTS } from './books-row.ts';
import { formatCsvLine } from './csv-text.ts';

type TemplateExample = {
  readonly kind: BooksKind;
  readonly counterparty: string;
  readonly description: string;
  readonly net: string;
  readonly vat: string;
};

const EXAMPLE_ROWS: Readonly<Record<Treatment, TemplateExample>> = {
  standard: { kind: 'sale', counterparty: 'Harbour Cafe Ltd', description: 'Coffee machines', net: '1,000.00', vat: '200.00' },
  reduced: { kind: 'purchase', counterparty: 'Northern Power', description: 'Fuel and power at 5%', net: '240.00', vat: '12.00' },
  zero: { kind: 'sale', counterparty: 'Page & Sons', description: 'Printed books', net: '350.00', vat: '0.00' },
  exempt: { kind: 'purchase', counterparty: 'City Insurance', description: 'Insurance premium', net: '410.00', vat: '' },
  no_vat: { kind: 'purchase', counterparty: 'Staff', description: 'Wages for the month', net: '2,400.00', vat: '' },
  outside_uk: { kind: 'sale', counterparty: 'Rhein Handel GmbH', description: 'Advice, place of supply abroad', net: '900.00', vat: '' },
  domestic_reverse_charge: {
    kind: 'purchase',
    counterparty: 'Brick Works Ltd',
    description: 'Building work',
    net: '5,000.00',
    vat: '1,000.00',
  },
  imported_services: {
    kind: 'purchase',
    counterparty: 'Cloud Inc',
    description: 'Software from abroad, VAT calculated if left blank',
    net: '120.00',
    vat: '',
  },
  postponed_import_vat: {
    kind: 'purchase',
    counterparty: 'Shenzhen Parts',
    description: 'Monthly postponed import VAT statement',
    net: '800.00',
    vat: '160.00',
  },
  import_vat_paid: { kind: 'purchase', counterparty: 'HMRC', description: 'C79 certificate', net: '600.00', vat: '120.00' },
  ni_acquisition: {
    kind: 'purchase',
    counterparty: 'Dublin Dairy',
    description: 'Goods from the EU into Northern Ireland',
    net: '300.00',
    vat: '60.00',
  },
  ni_dispatch: { kind: 'sale', counterparty: 'Cork Foods', description: 'Goods from Northern Ireland to the EU', net: '450.00', vat: '' },
  capital: { kind: 'purchase', counterparty: 'Van Centre', description: 'Delivery van', net: '18,000.00', vat: '3,600.00' },
  blocked: { kind: 'purchase', counterparty: 'The Old Inn', description: 'Business entertainment', net: '85.00', vat: '17.00' },
  bad_debt_relief: { kind: 'purchase', counterparty: 'Gone Ltd', description: 'VAT on an unpaid invoice', net: '', vat: '50.00' },
  adjustment_output: { kind: 'sale', counterparty: '', description: 'Correction of output VAT, with its reason', net: '', vat: '-12.34' },
  adjustment_input: { kind: 'purchase', counterparty: '', description: 'Correction of input VAT, with its reason', net: '', vat: '25.00' },
};

/** Describes the contents of each column of a books file for users, with examples. */
export const COLUMN_HELP: Readonly<Record<BooksColumn, string>> = {
  date: 'the tax point, or the date of payment if you use cash accounting: 31/03/2026, 2026-03-31 or 31 March 2026. Put the day before the month',
  kind: 'sale or purchase. Words such as “Sales invoice” and “Bill” are fine too',
  reference: 'the invoice number, such as INV-1042. We use it to find duplicates and changes to rows you’ve already filed',
  counterparty: 'the customer or supplier, such as Harbour Cafe Ltd',
  description: 'what was sold or bought, such as coffee machines',
  net: 'the amount without VAT: 1,234.50 or £1,234.50. A credit note is negative: -1,234.50 or (1,234.50)',
  vat: 'the VAT: 246.90. Leave it blank if none is due. If there’s a gross column, net or VAT can be left out; with all three, they must add up',
  treatment: 'how VAT applies, such as standard, zero or no_vat. Rates such as 20% and names from Xero, QuickBooks and Sage are fine too',
};

/** Lists every treatment with an example, such as “reduced: Fuel and power at 5% (purchase)”. */
export function describeTreatments(): string[] {
  return TREATMENTS.map((treatment) => `${treatment}: ${EXAMPLE_ROWS[treatment].description} (${EXAMPLE_ROWS[treatment].kind})`);
}

/** Returns the template as CSV text with CRLF line endings, which every spreadsheet opens. Our parser accepts it without errors. */
export function formatBooksTemplate(): string {
  const lines = TREATMENTS.map((treatment, index) => {
    const { kind, counterparty, description, net, vat } = EXAMPLE_ROWS[treatment];
    const day = String(index + 1).padStart(2, '0');
    return formatCsvLine([`2026-04-${day}`, kind, `EXAMPLE-${index + 1}`, counterparty, description, net, vat, treatment]);
  });
  return [BOOKS_COLUMNS.join(','), ...lines, ''].join('\r\n');
}
