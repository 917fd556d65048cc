/** Converts a row's cells, as written by any software, to the template's cells. */
import { parseDateInAnyFormat } from '../client-imports/parse-loose-date.ts';
import { pence, toPoundsText } from '../money.ts';
import { normaliseHeading } from '../tables/recognise-columns.ts';
import { type BooksTable, recogniseKind, recogniseTreatment } from './books-mapping.ts';
import type { BooksTarget } from './books-targets.ts';
import { parseAmount } from './parse-amount.ts';
import { parseBooksDate } from './parse-books-date.ts';
import { normaliseAmount } from './tidy-amount.ts';

/** The template's cells, in order. Unreadable values are kept, so that the row parser reports them. */
export type NormaliseCells = (cells: readonly string[]) => string[];

const MAX_CACHED_CELLS = 10_000;

/** Creates the converter for a file with these columns and meanings. */
export function createCellNormaliser(table: BooksTable): NormaliseCells {
  const columnsByTarget = Map.groupBy(table.columns.keys(), (index) => table.columns[index] ?? '');
  const pick = (cells: readonly string[], target: BooksTarget): string => {
    for (const index of columnsByTarget.get(target) ?? []) {
      const cellText = cells[index] ?? '';
      if (cellText.trim() !== '') return cellText;
    }
    return '';
  };
  const hasTarget = (target: BooksTarget) => columnsByTarget.has(target);
  const toDate = cacheResults((text) => (parseBooksDate(text) === undefined ? (parseDateInAnyFormat(text) ?? text) : text));
  const kinds = Object.fromEntries(
    table.kinds.flatMap(({ text, meaning }) => (meaning === null ? [] : [[normaliseHeading(text), meaning]])),
  );
  const treatments = Object.fromEntries(
    table.treatments.flatMap(({ text, meaning }) => (meaning === null ? [] : [[normaliseHeading(text), meaning]])),
  );
  const toTreatment = cacheResults((text) => recogniseTreatment(text, treatments) ?? text);
  const findKind = cacheResults((text): string => recogniseKind(text, kinds) ?? text);
  return (cells) => {
    const meaning = hasTarget('kind') ? findKind(pick(cells, 'kind')) : (table.fixedKind ?? '');
    const amounts = toAmounts({
      net: hasTarget('net') ? toAmount(pick(cells, 'net')) : undefined,
      vat: hasTarget('vat') ? toAmount(pick(cells, 'vat')) : undefined,
      gross: hasTarget('gross') ? toAmount(pick(cells, 'gross')) : undefined,
    });
    const isCredit = meaning === 'sale_credit' || meaning === 'purchase_credit';
    const kind = meaning === 'sale_credit' ? 'sale' : meaning === 'purchase_credit' ? 'purchase' : meaning;
    return [
      toDate(pick(cells, 'date')),
      kind,
      pick(cells, 'reference').trim(),
      pick(cells, 'counterparty').trim(),
      pick(cells, 'description').trim(),
      isCredit ? toNegative(amounts.net) : amounts.net,
      isCredit ? toNegative(amounts.vat) : amounts.vat,
      hasTarget('treatment') ? toTreatment(pick(cells, 'treatment')) : (table.fixedTreatment ?? ''),
    ];
  };
}

const toAmount = (text: string): string => (Number.isNaN(parseAmount(text)) ? normaliseAmount(text) : text.trim());

type CellAmounts = { readonly net: string | undefined; readonly vat: string | undefined; readonly gross: string | undefined };

/** Calculates net or VAT, whichever is missing, as the gross amount less the other; zero if the file has neither. */
function toAmounts({ net, vat, gross }: CellAmounts): { net: string; vat: string } {
  if (net !== undefined && vat !== undefined) return { net, vat };
  const knownAmount = net ?? vat ?? '';
  const remainingAmount = knownAmount === '' ? 0 : parseAmount(knownAmount);
  const total = parseAmount(gross ?? '');
  // If the gross amount is the invalid one, the error shows it.
  const missingAmount = Number.isNaN(total) || Number.isNaN(remainingAmount) ? (gross ?? '') : toPoundsText(pence(total - remainingAmount));
  return net === undefined ? { net: missingAmount, vat: knownAmount } : { net: knownAmount, vat: missingAmount };
}

function toNegative(text: string): string {
  const amount = parseAmount(text);
  return Number.isNaN(amount) ? text : toPoundsText(pence(-Math.abs(amount)));
}

/** Caches results, because a file repeats the same few dates and names. */
function cacheResults<Result>(find: (text: string) => Result): (text: string) => Result {
  const results = new Map<string, Result>();
  return (text) => {
    const knownResult = results.get(text);
    if (knownResult !== undefined) return knownResult;
    const result = find(text);
    if (results.size < MAX_CACHED_CELLS) results.set(text, result);
    return result;
  };
}
