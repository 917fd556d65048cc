import { pence, toPoundsText } from '@portal/domain/money.ts';
import type { BooksEntry } from '../books/books-entry.ts';
import { addDays, getDayOfWeek, type PlainDate } from '@portal/domain/plain-date.ts';

/**
 * Creates an exporter's books from the dates alone, so that every start produces the same books. Zero-rated exports and standard-rated
 * costs lead to refunds.
 */
export function createBrightwellBooks(from: PlainDate, to: PlainDate): string {
  const lines = createBrightwellEntries(from, to).map((entry) =>
    [
      entry.date,
      entry.kind,
      entry.reference,
      entry.counterparty,
      entry.description,
      toPoundsText(entry.netPence),
      toPoundsText(entry.vatPence),
      entry.treatment,
    ].join(','),
  );
  return `date,kind,reference,counterparty,description,net,vat,treatment\n${lines.join('\n')}\n`;
}

type BrightwellEntry = Pick<
  BooksEntry,
  'date' | 'kind' | 'reference' | 'counterparty' | 'description' | 'netPence' | 'vatPence' | 'treatment'
>;

/** Returns the documents of the same books, for the simulated bookkeeping software. */
export function createBrightwellEntries(from: PlainDate, to: PlainDate): BrightwellEntry[] {
  const entries: BrightwellEntry[] = [];
  let number = 1000;
  for (let date = from; date <= to; date = addDays(date, 1)) {
    if (getDayOfWeek(date) > 5) continue;
    for (const { netPence, ...row } of createRows(date, Number(date.slice(8)))) {
      number += 1;
      const net = pence(netPence);
      const vat = pence(row.treatment === 'zero' ? 0 : Math.round(net / 5));
      entries.push({ ...row, date, reference: `${row.kind === 'sale' ? 'INV' : 'BILL'}-${number}`, netPence: net, vatPence: vat });
    }
  }
  return entries;
}

type BrightwellRow = {
  kind: 'sale' | 'purchase';
  counterparty: string;
  description: string;
  netPence: number;
  treatment: 'standard' | 'zero';
};

function createRows(date: PlainDate, day: number): BrightwellRow[] {
  // Amounts vary by day and month, so that no two rows are the same.
  const variation = day * 731 + Number(date.slice(5, 7)) * 1_913;
  const rows: BrightwellRow[] = [];
  if (day % 3 === 0)
    rows.push({
      kind: 'sale',
      counterparty: 'Nordlys Interiors AS',
      description: 'Lamps exported to Oslo',
      netPence: 480_000 + variation,
      treatment: 'zero',
    });
  if (day % 5 === 0)
    rows.push({
      kind: 'sale',
      counterparty: 'Harbour Lights Ltd',
      description: 'Lamps sold in Bristol',
      netPence: 92_000 + variation,
      treatment: 'standard',
    });
  if (day % 4 === 0)
    rows.push({
      kind: 'purchase',
      counterparty: 'Severn Glassworks Ltd',
      description: 'Hand-blown shades',
      netPence: 310_000 + variation,
      treatment: 'standard',
    });
  if (day % 7 === 0)
    rows.push({
      kind: 'purchase',
      counterparty: 'Westcountry Freight Ltd',
      description: 'Packing and freight',
      netPence: 64_500 + variation,
      treatment: 'standard',
    });
  if (day === 12)
    rows.push({
      kind: 'purchase',
      counterparty: 'Copperfield Metals Ltd',
      description: 'Brass fittings',
      netPence: 845_000 + variation,
      treatment: 'standard',
    });
  return rows;
}
