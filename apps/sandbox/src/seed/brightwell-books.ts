import { pence, toPoundsText } from '@portal/domain/money.ts';
import { addDays, dayOfWeek, type PlainDate } from '@portal/domain/plain-date.ts';

/**
 * Creates the books of an exporter from the dates alone, so that every start produces the same. Zero-rated exports and standard-rated costs
 * lead to refunds.
 */
export function createBrightwellBooks(from: PlainDate, to: PlainDate): string {
  const lines = ['date,kind,reference,counterparty,description,net,vat,treatment'];
  let number = 1000;
  for (let date = from; date <= to; date = addDays(date, 1)) {
    if (dayOfWeek(date) > 5) continue;
    for (const row of createRows(date, Number(date.slice(8)))) {
      number += 1;
      const net = pence(row.netPence);
      const vat = pence(row.treatment === 'zero' ? 0 : Math.round(net / 5));
      lines.push(
        [
          date,
          row.kind,
          `${row.kind === 'sale' ? 'INV' : 'BILL'}-${number}`,
          row.counterparty,
          row.description,
          toPoundsText(net),
          toPoundsText(vat),
          row.treatment,
        ].join(','),
      );
    }
  }
  return `${lines.join('\n')}\n`;
}

type Row = { kind: 'sale' | 'purchase'; counterparty: string; description: string; netPence: number; treatment: string };

function createRows(date: PlainDate, day: number): Row[] {
  // Amounts vary with day and month, so that no two rows are the same.
  const variation = day * 731 + Number(date.slice(5, 7)) * 1_913;
  const rows: Row[] = [];
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
