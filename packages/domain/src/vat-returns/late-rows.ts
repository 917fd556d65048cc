/** Finds where the current books differ from the ones a period was filed from: rows added later, changed or removed. */
import type { BooksRow } from '../books/books-row.ts';
import { type Pence, pence, sumPence } from '../money.ts';
import { listBoxContributions } from './box-contributions.ts';
import type { LateRowKind } from './correction-routes.ts';

/** A row without its line number in a file. */
export type FiledRow = Omit<BooksRow, 'line'>;

/** One difference. `filed` is the row as filed, `now` the row in the current books; either may be missing. */
export type LateRow = {
  /** Identifies the difference. Stable across reads; duplicate rows get different keys. */
  readonly key: string;
  readonly kind: LateRowKind;
  readonly filed: FiledRow | null;
  readonly now: FiledRow | null;
  /** VAT missing from the filed return, in pence: positive is owed to HMRC, negative is owed to the trader. */
  readonly due: Pence;
};

/** A difference that a user has resolved. */
export type SettledRow = Pick<LateRow, 'filed' | 'now'>;

export type LateRowFacts = {
  /** Rows that are only in the current books, and rows that are only in the filed books. Equal rows cancel each other out one by one. */
  readonly added: readonly FiledRow[];
  readonly removed: readonly FiledRow[];
  readonly settled: readonly SettledRow[];
  /** Whether the books contain other, unchanged rows in the period. If not, the file covers other periods, and no row counts as removed. */
  readonly coversPeriod: boolean;
};

/** Returns the differences that haven't been decided on, by date. Omits rows that don't affect any box. */
export function findLateRows({ added, removed, settled, coversPeriod }: LateRowFacts): LateRow[] {
  const rows = new RowBag(added);
  const removedBag = new RowBag(removed);
  // Resolved differences are already accounted for, so they move from the books' side to the filed side.
  for (const { filed, now } of settled) {
    if (now !== null && !rows.take(now)) removedBag.put(now);
    if (filed !== null && !removedBag.take(filed)) rows.put(filed);
  }
  const pairs = pairRows(rows.list(), removedBag.list());
  const foundRows = pairs.flatMap(({ filed, now }) => {
    if (now === null && !coversPeriod) return [];
    if (hasSameEffect(filed, now)) return [];
    const kind: LateRowKind = filed === null ? 'added' : now === null ? 'removed' : 'changed';
    return [{ kind, filed, now, due: pence(getVatDue(now) - getVatDue(filed)) }];
  });
  const settledKeys = countKeys(settled);
  return foundRows
    .toSorted((a, b) => (getDate(a) < getDate(b) ? -1 : getDate(a) > getDate(b) ? 1 : 0))
    .map((row) => ({ ...row, key: settledKeys.next(row) }));
}

/** Returns the net value of errors, in pence: positive is owed to HMRC. Source: VAEC7150 (the difference between the two totals). */
export function sumNetError(rows: readonly Pick<LateRow, 'due'>[]): Pence {
  return sumPence(rows.map(({ due }) => due));
}

/**
 * Returns true if the return claimed too little input tax, and declared the right output tax. Such an error can be corrected for four years
 * after the return's due date, any other after the end of its period. Source: VAEC7410.
 */
export function isUnclaimedInputTax({ filed, now }: SettledRow): boolean {
  const outputTax = sumBoxes(now, 1, 2) - sumBoxes(filed, 1, 2);
  return outputTax === 0 && sumBoxes(now, 4) > sumBoxes(filed, 4);
}

/** Returns the VAT that a row adds to the amount owed to HMRC: boxes 1 and 2 less box 4. */
const getVatDue = (row: FiledRow | null): number => sumBoxes(row, 1, 2) - sumBoxes(row, 4);

function sumBoxes(row: FiledRow | null, ...boxes: readonly number[]): number {
  if (row === null) return 0;
  return listBoxContributions(row).reduce((sum, { box, amount_pence: amount }) => sum + (boxes.includes(box) ? amount : 0), 0);
}

const getDate = ({ filed, now }: SettledRow) => (now ?? filed)?.date ?? '';

function hasSameEffect(filed: FiledRow | null, now: FiledRow | null): boolean {
  return describeEffect(filed) === describeEffect(now);
}

function describeEffect(row: FiledRow | null): string {
  if (row === null) return '';
  return listBoxContributions(row)
    .filter(({ amount_pence: amount }) => amount !== 0)
    .map(({ box, amount_pence: amount }) => `${box}:${amount}`)
    .join(' ');
}

/**
 * Pairs a changed document with its filed version, starting with the most certain matches, so that only the difference counts as an error.
 */
function pairRows(addedRows: readonly FiledRow[], removedFiledRows: readonly FiledRow[]): SettledRow[] {
  const pairs: SettledRow[] = [];
  let rows = addedRows;
  const removedRows = new Set(removedFiledRows);
  for (const describe of [
    // Matches the same amounts with a different reference, name or date.
    (row: FiledRow) => [row.kind, row.treatment, row.net_pence, row.vat_pence, row.counterparty, row.date].join('\n'),
    (row: FiledRow) => [row.kind, row.treatment, row.net_pence, row.vat_pence, row.reference, row.date].join('\n'),
    // Matches the same document with a different amount, treatment or date. A row without a reference could be any document.
    (row: FiledRow) => (row.reference === '' ? undefined : [row.kind, row.reference, row.counterparty].join('\n')),
    (row: FiledRow) => (row.reference === '' ? undefined : [row.kind, row.reference].join('\n')),
  ]) {
    const filedByName = Map.groupBy(removedRows, (row) => describe(row) ?? '');
    rows = rows.filter((now) => {
      const name = describe(now);
      const filedRow = name === undefined ? undefined : filedByName.get(name)?.pop();
      if (filedRow === undefined) return true;
      removedRows.delete(filedRow);
      pairs.push({ filed: filedRow, now });
      return false;
    });
  }
  return [...pairs, ...rows.map((now) => ({ filed: null, now })), ...[...removedRows].map((filed) => ({ filed, now: null }))];
}

/** A multiset of rows: equal rows are counted individually. */
class RowBag {
  readonly #rows = new Map<string, FiledRow[]>();

  constructor(rows: readonly FiledRow[]) {
    for (const row of rows) this.put(row);
  }

  put(row: FiledRow): void {
    const key = toRowKey(row);
    this.#rows.set(key, [...(this.#rows.get(key) ?? []), row]);
  }

  take(row: FiledRow): boolean {
    return this.#rows.get(toRowKey(row))?.pop() !== undefined;
  }

  list(): FiledRow[] {
    return [...this.#rows.values()].flat();
  }
}

function toRowKey(row: FiledRow | null): string {
  if (row === null) return '';
  const { date, kind, reference, counterparty, net_pence: net, vat_pence: vat, treatment } = row;
  return JSON.stringify([date, kind, reference, counterparty, net, vat, treatment]);
}

/** Numbers equal differences, starting after those already resolved. */
function countKeys(settledRows: readonly SettledRow[]) {
  const counts = new Map<string, number>();
  const describeNextStep = ({ filed, now }: SettledRow): string => {
    const name = `${toRowKey(filed)}>${toRowKey(now)}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return `${name}#${count}`;
  };
  for (const row of settledRows) describeNextStep(row);
  return { next: describeNextStep };
}
