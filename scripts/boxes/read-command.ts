/** The arguments of `npm run boxes`: a file of books, or a provider's recordings. */
import { parseArgs } from 'node:util';
import type { RowError } from '@portal/domain/books/books-row.ts';
import { VAT_BASES, type VatBasis } from '@portal/domain/connected-books/books-document.ts';
import { parsePlainDate } from '@portal/domain/plain-date.ts';
import type { Period } from '@portal/domain/vat-returns/accumulate-boxes.ts';
import type { SourceCommand } from './source-boxes.ts';
import { SOURCE_NAMES, type SourceName } from './source-names.ts';

type FileCommand = { readonly path: string; readonly period: Period };
type CommandErrors = { readonly errors: readonly RowError[] };
type Values = Readonly<Partial<Record<'from' | 'to' | 'source' | 'data' | 'basis', string>>>;
type AddError = (column: string, reason: string) => void;

const USAGE = 'npm run boxes -- FILE --from YYYY-MM-DD --to YYYY-MM-DD';
const SOURCE_USAGE = `npm run boxes -- --source ${SOURCE_NAMES.join('|')} --data DIR --from YYYY-MM-DD --to YYYY-MM-DD [--basis accrual|cash]`;

/** Reads the arguments and reports all problems together, not just the first. */
export function readCommand(args: readonly string[], resolvePath: (path: string) => string): FileCommand | SourceCommand | CommandErrors {
  const errors: RowError[] = [];
  const addError: AddError = (column, reason) => errors.push({ line: 0, column, reason });
  const parsed = splitArguments(args);
  if (typeof parsed === 'string') return { errors: [{ line: 0, column: 'arguments', reason: parsed }] };
  const { values, positionals } = parsed;
  const books = values.source === undefined ? readFile(values, positionals, addError) : readSource(values, positionals, addError);
  const period = readPeriod(values, values.source === undefined ? USAGE : SOURCE_USAGE, addError);
  if (errors.length > 0 || books === undefined || period === undefined) return { errors };
  return 'folder' in books ? { ...books, folder: resolvePath(books.folder), period } : { path: resolvePath(books.path), period };
}

/** Returns the parsed options and positionals, or an error message. */
function splitArguments(args: readonly string[]) {
  const options = {
    from: { type: 'string' },
    to: { type: 'string' },
    source: { type: 'string' },
    data: { type: 'string' },
    basis: { type: 'string' },
  } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}: ${USAGE} or ${SOURCE_USAGE}`;
  }
}

function readFile(values: Values, [file, ...extraFiles]: readonly string[], addError: AddError): { readonly path: string } | undefined {
  if (file === undefined) addError('FILE', `give the name of a file: ${USAGE}`);
  if (extraFiles.length > 0) addError('FILE', `give only one file, and put quotes around a name that contains spaces: ${USAGE}`);
  for (const name of ['data', 'basis'] as const) {
    if (values[name] !== undefined) addError(`--${name}`, `this is only for recordings: ${SOURCE_USAGE}`);
  }
  return file === undefined ? undefined : { path: file };
}

function readSource(values: Values, positionals: readonly string[], addError: AddError): Omit<SourceCommand, 'period'> | undefined {
  const { source, data: folder } = values;
  if (positionals.length > 0) addError('FILE', `--source reads the folder of --data instead of a file: ${SOURCE_USAGE}`);
  if (folder === undefined) addError('--data', `give the folder of the recordings: ${SOURCE_USAGE}`);
  if (!isOneOf(SOURCE_NAMES, source)) {
    addError('--source', `${JSON.stringify(source)} isn’t one of ${SOURCE_NAMES.join(', ')}`);
    return undefined;
  }
  const basis = readBasis(values.basis, source, addError);
  return folder === undefined ? undefined : { source, folder, basis };
}

/** Xero states the basis; the other providers don’t (docs/reference/providers.md sections 1 to 3). */
function readBasis(text: string | undefined, source: SourceName, addError: AddError): VatBasis | undefined {
  if (text === undefined) {
    if (source !== 'xero') addError('--basis', `the program doesn’t state the VAT basis, so give it: ${SOURCE_USAGE}`);
    return undefined;
  }
  if (!isOneOf(VAT_BASES, text)) {
    addError('--basis', `${JSON.stringify(text)} isn’t a basis: give accrual or cash`);
    return undefined;
  }
  if (source === 'quickbooks' && text === 'cash') {
    addError('--basis', 'QuickBooks doesn’t state which payments settle which document, so only accrual is possible');
  }
  return text;
}

function readPeriod(values: Values, usage: string, addError: AddError): Period | undefined {
  const readDate = (name: 'from' | 'to') => {
    const text = values[name];
    const date = text === undefined ? undefined : parsePlainDate(text);
    if (text === undefined) addError(`--${name}`, `the date is missing: ${usage}`);
    else if (date === undefined) addError(`--${name}`, `${JSON.stringify(text)} isn’t a valid date: enter it as YYYY-MM-DD`);
    return date;
  };
  const from = readDate('from');
  const to = readDate('to');
  if (from === undefined || to === undefined) return undefined;
  if (from > to) addError('--to', `the period ends (${to}) before it starts (${from})`);
  return { from, to };
}

function isOneOf<Value extends string>(values: readonly Value[], text: string | undefined): text is Value {
  return values.some((value) => value === text);
}
