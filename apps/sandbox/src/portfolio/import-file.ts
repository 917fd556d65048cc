/** The client file that Oakline would import: the portfolio's rows, some of them untidy, each with its expected outcome. */
import { IMPORT_COLUMNS, type ImportColumn } from '@portal/domain/client-imports/import-columns.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { formatCsvLine } from '@portal/domain/books/csv-text.ts';
import { createRandom, type RandomGenerator } from '../companies-house/generate-companies.ts';
import { getYearEnd } from './ct-statement.ts';
import type { Portfolio, PortfolioClient } from './portfolio-client.ts';
import { hashText } from './references.ts';

/**
 * `new` rows are imported, after correction if untidy. `duplicate` rows repeat an earlier client. `invalid` rows are rejected, with the
 * name of the missing field.
 */
export type ImportFileRow = {
  readonly cells: Readonly<Record<ImportColumn, string>>;
  readonly expected:
    | { readonly outcome: 'new'; readonly code: string }
    | { readonly outcome: 'duplicate'; readonly code: string }
    | { readonly outcome: 'invalid'; readonly field: ImportColumn };
};

/** Percentage of rows that are untidy but can be corrected. In addition, one client is repeated after every hundred rows. */
const UNTIDY_PERCENT = 4;
const ROWS_BETWEEN_DUPLICATES = 100;

/** Returns one row for each client, then the duplicates, then one row without a name if any client has a VAT number. */
export function createImportFile(portfolio: Portfolio): readonly ImportFileRow[] {
  const { list, seed, today } = portfolio;
  const rows = list.map((client): ImportFileRow => {
    const random = createRandom(hashText(`${seed} row ${client.index}`));
    const cells = toCells(client, today);
    return {
      cells: random.isLikely(UNTIDY_PERCENT) ? addTypingVariations(random, cells) : cells,
      expected: { outcome: 'new', code: client.code },
    };
  });
  const repeatedClients = list.filter(({ index }) => index % ROWS_BETWEEN_DUPLICATES === ROWS_BETWEEN_DUPLICATES - 1);
  const duplicates = repeatedClients.map((client): ImportFileRow => ({
    cells: { ...toCells(client, today), name: client.name.toUpperCase(), phone: '' },
    expected: { outcome: 'duplicate', code: client.code },
  }));
  const registeredClient = list.find(({ vat }) => vat);
  return [...rows, ...duplicates, ...(registeredClient ? [removeName(registeredClient, today)] : [])];
}

/** Formats the rows as CSV text with "\r\n" line endings. */
export function formatImportFile(rows: readonly ImportFileRow[]): string {
  const lines = rows.map(({ cells }) => formatCsvLine(IMPORT_COLUMNS.map((column) => cells[column])));
  return [IMPORT_COLUMNS.join(','), ...lines, ''].join('\r\n');
}

function toCells(client: PortfolioClient, today: PlainDate): Record<ImportColumn, string> {
  return {
    name: client.name,
    kind: client.kind,
    taxes: client.taxes.join(' ').toUpperCase(),
    vrn: client.vat?.vrn ?? '',
    utr: client.utr,
    nino: client.nino ?? '',
    company_number: client.company?.number ?? '',
    paye_reference: client.paye?.employerReference ?? '',
    accounts_office_reference: client.paye?.accountsOfficeReference ?? '',
    postcode: client.address.postcode,
    vat_registered_on: client.vat?.registeredOn ?? '',
    year_end: getYearEnd(client, today) ?? '',
    email: client.email,
    phone: client.phone,
    client_code: toClientCode(client),
    status: 'active',
    vat_group: '',
    taxable_turnover: '',
    turnover_to: '',
  };
}

/** Returns a typical client code: the start of the name and a number, for example "HAR784". */
function toClientCode({ name, utr }: PortfolioClient): string {
  return `${name
    .replaceAll(/[^A-Za-z]/g, '')
    .slice(0, 3)
    .toUpperCase()}${utr.slice(-3)}`;
}

/** Imitates manual entry: lower case, spaces, GB before a VAT number, British dates, and leading zeros lost in a spreadsheet. */
function addTypingVariations(random: RandomGenerator, cells: Record<ImportColumn, string>): Record<ImportColumn, string> {
  const toBritishDate = cells.vat_registered_on.split('-').reverse().join('/');
  const variants: readonly (() => Partial<Record<ImportColumn, string>>)[] = [
    () => ({ vrn: cells.vrn === '' ? '' : `GB ${cells.vrn.slice(0, 3)} ${cells.vrn.slice(3, 7)} ${cells.vrn.slice(7)}` }),
    () => ({ utr: `${cells.utr.slice(0, 5)} ${cells.utr.slice(5)}`, postcode: cells.postcode.toLowerCase().replace(' ', '') }),
    () => ({ nino: cells.nino.toLowerCase().replaceAll(/(..)/g, '$1 ').trim(), company_number: cells.company_number.replace(/^0+/, '') }),
    () => ({ vat_registered_on: toBritishDate, email: cells.email.toUpperCase(), name: `  ${cells.name} ` }),
    () => ({
      paye_reference: cells.paye_reference.toLowerCase(),
      accounts_office_reference: cells.accounts_office_reference.toLowerCase(),
    }),
  ];
  return { ...cells, ...random.from(variants)() };
}

/** Returns a row with a client's VAT number but without a name, which no import can use. */
function removeName(client: PortfolioClient, today: PlainDate): ImportFileRow {
  const noReferences = { utr: '', nino: '', company_number: '', paye_reference: '', accounts_office_reference: '' };
  return { cells: { ...toCells(client, today), ...noReferences, name: '', taxes: 'VAT' }, expected: { outcome: 'invalid', field: 'name' } };
}
