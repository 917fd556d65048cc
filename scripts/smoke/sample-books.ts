import { toPoundsText, pence } from '@portal/domain/money.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import { BOOKS_COLUMNS } from '@portal/domain/books/books-row.ts';

const WEEKS_IN_QUARTER = 13;

/**
 * An exporter's books for one quarter, always the same: zero-rated exports, standard-rated costs, and one purchase for each treatment that
 * affects both sides of the return. The refund is above the thresholds for a review and for two releases.
 */
export function writeSampleBooks(quarterStart: PlainDate): string {
  const rows = [
    [addDays(quarterStart, 2), 'purchase', 'SRV-1', 'Nordic Cloud AB', 'Hosting', '1,250.00', '', 'imported_services'],
    [addDays(quarterStart, 9), 'purchase', 'DRC-1', 'Mill Lane Builders Ltd', 'Workshop', '4000.00', '800.00', 'domestic_reverse_charge'],
    [addDays(quarterStart, 16), 'purchase', 'VAN-1', 'Dockside Motors Ltd', 'Delivery van', '21500.00', '4300.00', 'capital'],
    [addDays(quarterStart, 23), 'purchase', 'LUN-1', 'The Old Quay', 'Lunch with a customer', '180.00', '36.00', 'blocked'],
  ];
  for (let week = 0; week < WEEKS_IN_QUARTER; week += 1) {
    const date = addDays(quarterStart, week * 7);
    const costs = pence(1_175_055 + week * 1_300);
    rows.push([date, 'sale', `EXP-${week + 1}`, 'Fjord Interiors AS', 'Lamps sent to Bergen', '18450.25', '0.00', 'zero']);
    rows.push([date, 'sale', `INV-${week + 1}`, 'Harbour Lights Ltd', 'Lamps sold in Bristol', '1200.00', '240.00', 'standard']);
    rows.push([
      addDays(date, 1),
      'purchase',
      `BILL-${week + 1}`,
      'Severn Glassworks Ltd',
      'Shades',
      toPoundsText(costs),
      toPoundsText(pence(Math.round(costs / 5))),
      'standard',
    ]);
  }
  const formatLine = (cells: readonly string[]): string => cells.map((cell) => (cell.includes(',') ? `"${cell}"` : cell)).join(',');
  return `${[BOOKS_COLUMNS.join(','), ...rows.map(formatLine)].join('\n')}\n`;
}
