/**
 * The dates and breakdown on a tax card: overdue items and, separately, the next deadline, with penalties and interest shown apart from
 * tax.
 */
import { formatPounds, sumPence } from '@portal/domain/money.ts';
import { getItemName } from '@portal/domain/positions/item-names.ts';
import { splitDeadlines } from '@portal/domain/positions/item-status.ts';
import type { ReactNode } from 'react';
import { DateText } from '../../components/formats/date-text.tsx';
import type { PositionDetail } from './client-page.ts';

type Item = PositionDetail['items'][number];
type Fact = { label: string; value: ReactNode };

/** Beyond this many overdue items, the card shows a count and expands on demand. */
const MAX_OVERDUE_SHOWN = 4;

/** Returns any overdue items, and the next deadline on or after the calculation date. */
export function listDeadlineFacts({ items, computed_on: today }: PositionDetail): readonly Fact[] {
  const { overdue, next } = splitDeadlines(items, today);
  const hiddenCount = overdue.length - MAX_OVERDUE_SHOWN;
  const facts: Fact[] = [];
  if (overdue.length > 0) {
    facts.push({
      label: overdue.length === 1 ? 'Overdue item' : 'Overdue items',
      value: (
        <>
          {overdue.slice(0, MAX_OVERDUE_SHOWN).map((item) => (
            <OverdueItem key={item.key} item={item} />
          ))}
          {hiddenCount > 0 && (
            <details>
              <summary>and {hiddenCount.toLocaleString('en-GB')} more</summary>
              {overdue.slice(MAX_OVERDUE_SHOWN).map((item) => (
                <OverdueItem key={item.key} item={item} />
              ))}
            </details>
          )}
        </>
      ),
    });
  }
  const [first] = next;
  facts.push({
    label: 'Next deadline',
    value:
      first === undefined ? (
        'None known'
      ) : (
        <>
          <DateText date={first.due_on} />
          {next.map((item) => (
            <div key={item.key}>{describeItem(item)}</div>
          ))}
        </>
      ),
  });
  return facts;
}

function OverdueItem({ item }: { item: Item }) {
  return (
    <div>
      {describeItem(item)}, due <DateText date={item.due_on} />
    </div>
  );
}

/** Returns, for example, "Payment on account of £1,500.00". */
export function describeItem({ kind, what, amount_pence: amount }: Pick<Item, 'kind' | 'what' | 'amount_pence'>): string {
  const name = getItemName(kind);
  const itemName = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  if (what === 'return') return itemName;
  return amount === null ? `${itemName}, amount not known` : `${itemName} of ${formatPounds(amount)}`;
}

/** Returns what is owed by type, if HMRC has charged penalties or interest. */
export function listOwedByType({ charges }: PositionDetail): readonly Fact[] {
  const sum = (isCounted: (kind: PositionDetail['charges'][number]['kind']) => boolean) =>
    sumPence(
      charges.flatMap(({ kind, outstanding_pence: outstanding, set_off_pence: setOff }) =>
        kind !== 'credit' && isCounted(kind) ? [(outstanding - setOff) as typeof outstanding] : [],
      ),
    );
  const [penalties, interest] = [sum((kind) => kind === 'penalty'), sum((kind) => kind === 'interest')];
  if (penalties === 0 && interest === 0) return [];
  const tax = sum((kind) => kind !== 'penalty' && kind !== 'interest');
  return [
    { label: 'Of which tax', value: formatPounds(tax) },
    ...(penalties === 0 ? [] : [{ label: 'Of which penalties', value: formatPounds(penalties) }]),
    ...(interest === 0 ? [] : [{ label: 'Of which interest', value: formatPounds(interest) }]),
  ];
}
