/** The two sides of the boxes benchmark: the product's code, and the minimum work needed for the same result. */
import { createReadStream } from 'node:fs';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import type { PeriodTotals } from '@portal/domain/vat-returns/accumulate-boxes.ts';
import { createBoxesAccumulator, addToTreatmentSums, sumBoxes, createTreatmentSums } from '@portal/domain/vat-returns/accumulate-boxes.ts';
import type { BooksRow } from '@portal/domain/books/books-row.ts';
import { computeNineBoxes } from '@portal/domain/vat-returns/nine-boxes.ts';
import { createCsvParser } from '@portal/providers/records-file/csv-records.ts';
import { readBooksFile } from '@portal/providers/books-file/read-books-file.ts';

const PERIOD: { from: PlainDate; to: PlainDate } = { from: plainDate('2026-01-01'), to: plainDate('2026-03-31') };

/** Calculates boxes from a file as the command and the screen do. Split into two steps, so that memory can be measured between them. */
export class BoxesRun {
  readonly #accumulator = createBoxesAccumulator([PERIOD]);

  async read(path: string): Promise<void> {
    const file = readBooksFile(createReadStream(path), { fileName: path });
    for await (const rows of file.batches) this.#accumulator.add(rows);
    const { errors } = file.summary();
    if (errors.length > 0) throw new Error(`the benchmark's file was rejected: ${JSON.stringify(errors[0])}`);
  }

  total(): PeriodTotals | undefined {
    return this.#accumulator.totals()[0];
  }
}

/** Runs both steps. */
export async function readBoxesFromFile(path: string): Promise<PeriodTotals | undefined> {
  const run = new BoxesRun();
  await run.read(path);
  return run.total();
}

/** Runs the bare parser, with the same library, options and stream, but ignores the parsed fields. */
export async function parseFile(path: string): Promise<number> {
  const parse = createCsvParser();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let count = 0;
  let remainder = '';
  for await (const chunk of createReadStream(path)) {
    const input = remainder + decoder.decode(chunk as Uint8Array, { stream: true });
    const { data, meta } = parse(input, 'partial');
    count += data.length;
    remainder = input.slice(meta.cursor);
  }
  return count;
}

/** Loads all rows of a file into memory, to measure the calculation alone. */
export async function loadRows(path: string): Promise<BooksRow[]> {
  const rows: BooksRow[] = [];
  for await (const batch of readBooksFile(createReadStream(path), { fileName: path }).batches) for (const row of batch) rows.push(row);
  return rows;
}

/** Runs the product's calculation: sums by treatment, the treatment table, boxes 3 and 5, and rounding. */
export function calculateWithTable(rows: readonly BooksRow[]): number {
  const sums = createTreatmentSums();
  for (const row of rows) addToTreatmentSums(sums, row);
  return computeNineBoxes(sumBoxes(sums)).boxes.box5;
}

/** The bare loop: a switch that adds the same amounts to nine sums, without any checks. */
// oxlint-disable-next-line max-lines-per-function -- it is the bare loop only as long as it is one loop
export function calculateBare(rows: readonly BooksRow[]): number {
  let box1 = 0;
  let box2 = 0;
  let box4 = 0;
  let box6 = 0;
  let box7 = 0;
  let box8 = 0;
  let box9 = 0;
  for (const { kind, treatment, net_pence: net, vat_pence: vat } of rows) {
    const isSale = kind === 'sale';
    switch (treatment) {
      case 'standard':
      case 'reduced':
      case 'capital':
        if (isSale) {
          box1 += vat;
          box6 += net;
        } else {
          box4 += vat;
          box7 += net;
        }
        break;
      case 'zero':
      case 'exempt':
      case 'outside_uk':
        if (isSale) box6 += net;
        else box7 += net;
        break;
      case 'domestic_reverse_charge':
        if (isSale) {
          box6 += net;
          break;
        }
        box1 += vat;
        box4 += vat;
        box7 += net;
        break;
      case 'imported_services':
        box1 += vat;
        box4 += vat;
        box6 += net;
        box7 += net;
        break;
      case 'postponed_import_vat':
        box1 += vat;
        box4 += vat;
        box7 += net;
        break;
      case 'import_vat_paid':
        box4 += vat;
        box7 += net;
        break;
      case 'ni_acquisition':
        box2 += vat;
        box4 += vat;
        box7 += net;
        box9 += net;
        break;
      case 'ni_dispatch':
        box6 += net;
        box8 += net;
        break;
      case 'blocked':
        box7 += net;
        break;
      case 'bad_debt_relief':
      case 'adjustment_output':
      case 'adjustment_input':
        if (isSale) box1 += vat;
        else box4 += vat;
        break;
      case 'no_vat':
        break;
    }
  }
  const box3 = box1 + box2;
  // Uses boxes 6 to 9, so that the compiler can't remove their sums.
  if (!Number.isFinite(box6 + box7 + box8 + box9)) throw new RangeError('not a sum');
  return Math.abs(box3 - box4);
}
