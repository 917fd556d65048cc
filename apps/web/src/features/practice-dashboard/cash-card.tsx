/** Twelve months of money to and from HMRC: horizontal bars with their figures, which fit into 360 px, and a table one click away. */
import type { PracticeDashboard, Totals } from '@portal/contract/practice-dashboard.ts';
import { formatPounds, pence, sumPence, toWholePounds, type Pence } from '@portal/domain/money.ts';
import { formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import clsx from 'clsx';
import { useState, type CSSProperties } from 'react';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Table } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './cash-card.module.css';

type Month = Totals['by_month'][number];

export function CashCard({ data }: { data: PracticeDashboard }) {
  const [asTable, setAsTable] = useState(false);
  const months = data.totals.by_month;
  return (
    <SectionCard
      title="The next 12 months"
      aside={
        <Button variant="text" size="small" fit="flush" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show chart' : 'Show table'}
        </Button>
      }
      source="By due date. Excludes amounts not yet known. The first month includes overdue amounts."
    >
      <Stack>
        <Text>{getSummary(months)}</Text>
        {months.length > 0 && (asTable ? <MonthTable months={months} /> : <MonthBars months={months} />)}
      </Stack>
    </SectionCard>
  );
}

function getSummary(months: readonly Month[]): string {
  const toPay = sumPence(months.map((month) => month.to_pay_pence));
  const toReceive = sumPence(months.map((month) => month.to_receive_pence));
  if (toPay === 0 && toReceive === 0) return 'No amounts are known for the next 12 months.';
  const heaviest = months.reduce<Month | undefined>((most, one) => (most && most.to_pay_pence >= one.to_pay_pence ? most : one), undefined);
  const peak = heaviest && heaviest.to_pay_pence > 0 ? ` The largest payments are in ${monthName(heaviest.month, 'long')}.` : '';
  return `Your clients owe ${formatPounds(toPay)} and are due ${formatPounds(toReceive)} in refunds.${peak}`;
}

function monthName(month: PlainDate, style: 'long' | 'short' = 'short'): string {
  return formatDate(month, style).split(' ').slice(1).join(' ');
}

/** Formats whole pounds; the table also shows the pence. */
function poundsText(amount: Pence): string {
  return formatPounds(pence(toWholePounds(amount, 'half-away') * 100)).replace(/\.00$/, '');
}

function MonthBars({ months }: { months: readonly Month[] }) {
  const largest = Math.max(1, ...months.flatMap((month) => [month.to_pay_pence, month.to_receive_pence]));
  return (
    <div role="img" aria-label="Chart of payments and refunds by month. The table has the figures." className={styles.bars}>
      {months.map((month) => (
        <div key={month.month} className={styles.month}>
          <div className={styles.name}>{monthName(month.month)}</div>
          <div>
            <Bar amount={month.to_pay_pence} largest={largest} tone={styles.toPay} label="to pay" />
            {month.to_receive_pence > 0 && (
              <Bar amount={month.to_receive_pence} largest={largest} tone={styles.refund} label="refund due" />
            )}
          </div>
        </div>
      ))}
    </div>
  );
}

function Bar({ amount, largest, tone, label }: { amount: Pence; largest: number; tone: string | undefined; label: string }) {
  if (amount === 0) return <div className={clsx(styles.amount, styles.none)}>Nothing to pay</div>;
  return (
    <div className={styles.amount}>
      <span className={clsx(styles.bar, tone)} style={{ '--share': amount / largest } as CSSProperties} />
      {`${poundsText(amount)} ${label}`}
    </div>
  );
}

function MonthTable({ months }: { months: readonly Month[] }) {
  return (
    <Table label="Payments and refunds by month" dense flush>
      <thead>
        <tr>
          <th scope="col">Month</th>
          <th scope="col" data-numeric>
            To pay
          </th>
          <th scope="col" data-numeric>
            Refunds due
          </th>
        </tr>
      </thead>
      <tbody>
        {months.map((month) => (
          <tr key={month.month}>
            <th scope="row" data-nowrap>
              {monthName(month.month)}
            </th>
            <td data-numeric>{formatPounds(month.to_pay_pence)}</td>
            <td data-numeric>{formatPounds(month.to_receive_pence)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
