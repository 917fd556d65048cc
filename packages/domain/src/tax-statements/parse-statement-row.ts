/** Parses one row of a statement file into its client reference and a charge, payment or return. */
import { parsePounds, type Pence } from '../money.ts';
import { parsed, createRejection, type Parsed } from '../parsed.ts';
import type { PlainDate } from '../plain-date.ts';
import { parseCompanyNumber } from '../uk-tax/references/company-number.ts';
import { parseEmployerPayeReference } from '../uk-tax/references/employer-paye-reference.ts';
import { parseUtr } from '../uk-tax/references/utr.ts';
import { explainDate, parseBooksDate } from '../books/parse-books-date.ts';
import type { ChargeFact, ObligationFact, PaymentFact, Period, PayeFrequency } from '../positions/tax-facts.ts';
import { STATEMENT_COLUMNS, type StatementColumn, type StatementPositions, type StatementTax } from './statement-columns.ts';

/** The reference that identifies a client in a statement. */
export type StatementReference = { readonly field: 'paye_reference' | 'utr' | 'company_number'; readonly value: string };

/** The content of one row. */
export type StatementEntry =
  | { readonly entry: 'charge'; readonly fact: ChargeFact }
  | { readonly entry: 'payment'; readonly fact: PaymentFact }
  | { readonly entry: 'return'; readonly fact: ObligationFact };

/** A problem with one column of a row. */
export type StatementProblem = { readonly field: string; readonly problem: string };

/** `entry` is null if there are problems; `reference` is set if readable, because a faulty row blocks its client's other rows. */
export type ParsedStatementRow = {
  readonly reference: StatementReference | null;
  readonly entry: StatementEntry | null;
  readonly pays: PayeFrequency | null;
  readonly problems: readonly StatementProblem[];
};

const MAX_CHARACTERS = 200;

/** Parses and validates every field of a row; undefined for an empty line. */
export function parseStatementRow(
  cells: readonly string[],
  positions: StatementPositions,
  tax: StatementTax,
): ParsedStatementRow | undefined {
  const row = new RowReader(cells, positions);
  if (row.isEmpty) return undefined;
  const reference = row.read('reference', (text) => parseReference(text, tax)) ?? null;
  if (row.getText('reference') === '')
    row.addProblem('reference', `Enter the client’s ${tax === 'paye' ? 'employer PAYE reference' : 'UTR or company number'}.`);
  const payFrequency = row.read('pays', parsePayFrequency) ?? null;
  const entry = readEntry(row, tax);
  return { reference, entry: row.problems.length > 0 ? null : entry, pays: payFrequency, problems: row.problems };
}

/** A row's cells and the problems found in them. */
class RowReader {
  readonly problems: StatementProblem[] = [];
  readonly #cells: Partial<Record<StatementColumn, string>> = {};

  constructor(cells: readonly string[], positions: StatementPositions) {
    for (const column of STATEMENT_COLUMNS) {
      const index = positions[column];
      this.#cells[column] = index === undefined ? '' : (cells[index] ?? '').trim();
    }
  }

  get isEmpty(): boolean {
    return Object.values(this.#cells).every((text) => text === '');
  }

  getText(column: StatementColumn): string {
    return this.#cells[column] ?? '';
  }

  addProblem(field: StatementColumn, problem: string): void {
    this.problems.push({ field, problem });
  }

  /** Returns undefined if the cell is empty or invalid. */
  read<Value>(column: StatementColumn, parse: (text: string) => Parsed<Value>): Value | undefined {
    const cellText = this.getText(column);
    if (cellText === '') return undefined;
    const result = cellText.length > MAX_CHARACTERS ? createRejection(`Use at most ${MAX_CHARACTERS} characters.`) : parse(cellText);
    if (result.ok) return result.value;
    this.addProblem(column, result.reason);
    return undefined;
  }

  readRequired<Value>(column: StatementColumn, parse: (text: string) => Parsed<Value>, missingProblem: string): Value | undefined {
    if (this.getText(column) === '') this.addProblem(column, missingProblem);
    return this.read(column, parse);
  }
}

/**
 * Parses a reference. Corporation tax uses the company's UTR. A file may give the company number instead, which is recognised by its 8
 * characters.
 */
function parseReference(text: string, tax: StatementTax): Parsed<StatementReference> {
  if (tax === 'paye') return toStatementReference('paye_reference', parseEmployerPayeReference(text));
  const isUtr = /^K?\d{10}K?$/i.test(text.replaceAll(/\s+/g, ''));
  return isUtr ? toStatementReference('utr', parseUtr(text)) : toStatementReference('company_number', parseCompanyNumber(text));
}

function toStatementReference(field: StatementReference['field'], result: Parsed<string>): Parsed<StatementReference> {
  return result.ok ? parsed({ field, value: result.value }) : result;
}

function readEntry(row: RowReader, tax: StatementTax): StatementEntry | null {
  const entry = row.readRequired('entry', parseEntry, 'Enter the type of line: charge, payment or return.');
  switch (entry) {
    case 'charge':
      return readCharge(row, tax);
    case 'payment':
      return readPayment(row);
    case 'return':
      if (tax === 'ct') return readReturn(row);
      row.addProblem('entry', 'A PAYE statement can only have charges and payments, not returns.');
      return null;
    case undefined:
      return null;
  }
}

function readCharge(row: RowReader, tax: StatementTax): StatementEntry | null {
  const kind = row.read('kind', parseKind) ?? 'tax';
  const title = row.read('title', parseSingleLine) ?? (tax === 'paye' ? 'PAYE and National Insurance' : 'Corporation tax');
  const original = row.readRequired('amount', parseAmount, 'Enter the amount in pounds, for example 1250.00.');
  const outstanding = row.readRequired('outstanding', parseAmount, 'Enter the amount outstanding, or 0.00 if it has been cleared.');
  const period = readPeriod(row);
  const due = row.read('due_on', parseDay);
  if (original === undefined || outstanding === undefined) return null;
  if (Math.abs(outstanding) > Math.abs(original) || outstanding * original < 0) {
    row.addProblem('outstanding', 'The amount outstanding can’t be more than the amount.');
  }
  if (original > 0 && row.getText('due_on') === '') row.addProblem('due_on', 'Enter the due date of the charge.');
  const dates = { ...(due === undefined ? {} : { due }), ...(period === undefined ? {} : { period }) };
  return { entry: 'charge', fact: { title, kind, original, outstanding, ...dates } };
}

function readPayment(row: RowReader): StatementEntry | null {
  const amount = row.readRequired('amount', parseAmount, 'Enter the amount in pounds, for example 1250.00.');
  const receivedOn = row.readRequired('received_on', parseDay, 'Enter the date when HMRC received the payment.');
  readPeriod(row);
  return amount === undefined || receivedOn === undefined ? null : { entry: 'payment', fact: { amount, received: receivedOn } };
}

function readReturn(row: RowReader): StatementEntry | null {
  const period = readPeriod(row);
  const due = row.readRequired('due_on', parseDay, 'Enter the due date of the return.');
  const receivedOn = row.read('received_on', parseDay);
  if (period === undefined && row.getText('period_start') === '' && row.getText('period_end') === '') {
    row.addProblem('period_start', 'Enter the period of the return.');
  }
  if (period === undefined || due === undefined) return null;
  const state = receivedOn === undefined ? { status: 'open' as const } : { status: 'fulfilled' as const, received: receivedOn };
  return { entry: 'return', fact: { kind: 'return', ...period, due, ...state } };
}

/** Reads a period, requiring both dates or neither. */
function readPeriod(row: RowReader): Period | undefined {
  const start = row.read('period_start', parseDay);
  const end = row.read('period_end', parseDay);
  if ((row.getText('period_start') === '') !== (row.getText('period_end') === '')) {
    row.addProblem(row.getText('period_start') === '' ? 'period_start' : 'period_end', 'Enter both dates of the period, or neither.');
  }
  if (start === undefined || end === undefined) return undefined;
  if (end < start) row.addProblem('period_end', 'The period ends before it starts. Check the dates.');
  return { start, end };
}

function parseEntry(text: string): Parsed<StatementEntry['entry']> {
  const word = text.toLowerCase();
  return word === 'charge' || word === 'payment' || word === 'return' ? parsed(word) : createRejection('Use charge, payment or return.');
}

function parseKind(text: string): Parsed<'tax' | 'penalty' | 'interest'> {
  const word = text.toLowerCase();
  return word === 'tax' || word === 'penalty' || word === 'interest' ? parsed(word) : createRejection('Use tax, penalty or interest.');
}

function parsePayFrequency(text: string): Parsed<PayeFrequency> {
  const word = text.toLowerCase();
  return word === 'monthly' || word === 'quarterly' ? parsed(word) : createRejection('Use monthly or quarterly.');
}

function parseAmount(text: string): Parsed<Pence> {
  const amount = parsePounds(text.replace('£', ''));
  return amount === undefined
    ? createRejection('Enter the amount in pounds with no more than two decimal places, for example 1250.00.')
    : parsed(amount);
}

function parseDay(text: string): Parsed<PlainDate> {
  const date = parseBooksDate(text);
  if (date !== undefined) return parsed(date);
  const reason = explainDate(text);
  return createRejection(`${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`);
}

function parseSingleLine(text: string): Parsed<string> {
  return /\p{Cc}/u.test(text) ? createRejection('Enter this on one line.') : parsed(text.replaceAll(/\s+/g, ' ').toWellFormed());
}
