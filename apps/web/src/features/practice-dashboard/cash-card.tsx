/** Twelve months of payments to and from HMRC: horizontal bars with their figures, which fit into 360 px, and a table one click away. */
import { getMonthFilters, getTotalFilters, type PracticeDashboard, type Totals } from '@portal/contract/practice-totals.ts';
import { formatPounds, sumPence, type Pence } from '@portal/domain/money.ts';
import { formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import clsx from 'clsx';
import { useState, type CSSProperties, type ReactNode } from 'react';
import { getPageLink } from '../../lib/page-link.ts';
import { PoundsText } from '../../components/formats/pounds-text.tsx';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Table } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { toQuery } from './total-cards.tsx';
import styles from './cash-card.module.css';

type Month = Totals['by_month'][number];

type GetMonthLink = (flow: 'pay_in' | 'refund_in', month: PlainDate) => string;

export function CashCard({ data, companyId }: { data: PracticeDashboard; companyId: string }) {
  const [asTable, setAsTable] = useState(false);
  const months = data.totals.by_month;
  const buildMonthLink: GetMonthLink = (flow, month) =>
    getPageLink('practiceClients', { company_id: companyId, ...toQuery(getMonthFilters(flow, month, data.tax)) });
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
        <Summary data={data} companyId={companyId} />
        {months.length > 0 &&
          (asTable ? (
            <MonthTable months={months} buildMonthLink={buildMonthLink} />
          ) : (
            <MonthBars months={months} buildMonthLink={buildMonthLink} />
          ))}
      </Stack>
    </SectionCard>
  );
}

/**
 * The sums of the months. Each month below links to its clients. A sum that is also one of the practice's totals, and is "at least" exactly
 * if that is, links to that total's clients.
 */
function Summary({ data, companyId }: { data: PracticeDashboard; companyId: string }) {
  const months = data.totals.by_month;
  const toPay = sumPence(months.map((month) => month.to_pay_pence));
  const toReceive = sumPence(months.map((month) => month.to_receive_pence));
  const isPartialTotal = data.totals.incomplete_clients > 0;
  const [isPayPartial, isReceivePartial] = (['to_pay', 'to_receive'] as const).map(
    (flow) => isPartialTotal || months.some((month) => month[`${flow}_is_partial`]),
  );
  if (toPay === 0 && toReceive === 0) return <Text>No amounts are known for the next 12 months.</Text>;
  const heaviestMonth = months.reduce<Month | undefined>(
    (max, item) => (max && max.to_pay_pence >= item.to_pay_pence ? max : item),
    undefined,
  );
  const list = (total: 'owed' | 'refund', sum: Pence, isPartial: boolean | undefined): ReactNode => {
    // That list's sum is "at least" only if clients aren't fully read: it has nothing that isn't charged yet.
    if (sum !== data.totals[`${total}_pence`] || isPartial !== isPartialTotal) return formatPounds(sum);
    const filters = toQuery(getTotalFilters(total, data.tax, data.today));
    return <TextLink to={getPageLink('practiceClients', { company_id: companyId, ...filters })}>{formatPounds(sum)}</TextLink>;
  };
  const owedText = toPay > 0 && (
    <>
      owe {isPayPartial && 'at least '}
      {list('owed', toPay, isPayPartial)}
    </>
  );
  const refunds = toReceive > 0 && (
    <>
      are due {isReceivePartial && 'at least '}
      {list('refund', toReceive, isReceivePartial)} in refunds
    </>
  );
  return (
    <Text>
      Your clients {owedText}
      {owedText && refunds && ' and '}
      {refunds}.{!owedText && ' No amounts to pay are known.'}
      {heaviestMonth && heaviestMonth.to_pay_pence > 0 && ` The largest payments are in ${formatMonthName(heaviestMonth.month, 'long')}.`}
    </Text>
  );
}

function formatMonthName(month: PlainDate, style: 'long' | 'short' = 'short'): string {
  return formatDate(month, style).split(' ').slice(1).join(' ');
}

type MonthsProps = { months: readonly Month[]; buildMonthLink: GetMonthLink };

function MonthBars({ months, buildMonthLink }: MonthsProps) {
  const largestAmount = Math.max(1, ...months.flatMap((month) => [month.to_pay_pence, month.to_receive_pence]));
  const hasLongLabels = months.some((month) => month.to_pay_is_partial || month.to_receive_is_partial);
  return (
    <div role="group" aria-label="Payments and refunds by month" className={clsx(styles.bars, hasLongLabels && styles.longLabels)}>
      {groupEmptyMonths(months).map(([month, ...more]) =>
        isEmpty(month) ? (
          <div key={month.month} className={clsx(styles.month, styles.empty)}>
            <div>{formatMonths(month, more.at(-1))}</div>
            <div>No amounts known</div>
          </div>
        ) : (
          <div key={month.month} className={styles.month}>
            <div className={styles.name}>{formatMonthName(month.month)}</div>
            <div>
              {(month.to_pay_pence > 0 || month.to_pay_is_partial) && (
                <Bar
                  amount={month.to_pay_pence}
                  isPartial={month.to_pay_is_partial}
                  largest={largestAmount}
                  tone={styles.toPay}
                  label="to pay"
                  to={buildMonthLink('pay_in', month.month)}
                />
              )}
              {month.to_receive_pence > 0 && (
                <Bar
                  amount={month.to_receive_pence}
                  isPartial={month.to_receive_is_partial}
                  largest={largestAmount}
                  tone={styles.refund}
                  label="refund due"
                  to={buildMonthLink('refund_in', month.month)}
                />
              )}
            </div>
          </div>
        ),
      )}
    </div>
  );
}

/** A month with payments of unknown amounts only isn't empty, because its list isn't. */
const isEmpty = (month: Month): boolean => month.to_pay_pence === 0 && month.to_receive_pence === 0 && !month.to_pay_is_partial;

type Months = readonly [Month, ...Month[]];

/** Consecutive months without amounts share one line, so that they don't take up half of the chart. */
export function groupEmptyMonths(months: readonly Month[]): Months[] {
  const groups: [Month, ...Month[]][] = [];
  for (const month of months) {
    const last = groups.at(-1);
    if (last !== undefined && isEmpty(last[0]) && isEmpty(month)) last.push(month);
    else groups.push([month]);
  }
  return groups;
}

/** Formats the months, for example "Mar 2027" or "Mar 2027 to Jun 2027". */
function formatMonths(first: Month, last: Month | undefined): string {
  return last === undefined ? formatMonthName(first.month) : `${formatMonthName(first.month)} to ${formatMonthName(last.month)}`;
}

type BarProps = { amount: Pence; isPartial: boolean; largest: number; tone: string | undefined; label: string; to: string };

/** The bar links to the clients behind the amount. */
function Bar({ amount, isPartial, largest, tone, label, to }: BarProps) {
  if (amount === 0)
    return (
      <div className={styles.amount}>
        <TextLink to={to}>Payments, amounts not known yet</TextLink>
      </div>
    );
  return (
    <div className={styles.amount}>
      <span className={clsx(styles.bar, tone)} style={{ '--share': amount / largest } as CSSProperties} />
      <TextLink to={to}>
        {isPartial && 'At least '}
        <PoundsText amount={amount} /> {label}
      </TextLink>
    </div>
  );
}

function MonthTable({ months, buildMonthLink }: MonthsProps) {
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
              {formatMonthName(month.month)}
            </th>
            <td data-numeric>
              <MonthAmount amount={month.to_pay_pence} isPartial={month.to_pay_is_partial} to={buildMonthLink('pay_in', month.month)} />
            </td>
            <td data-numeric>
              <MonthAmount
                amount={month.to_receive_pence}
                isPartial={month.to_receive_is_partial}
                to={buildMonthLink('refund_in', month.month)}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function MonthAmount({ amount, isPartial, to }: { amount: Pence; isPartial: boolean; to: string }) {
  if (amount === 0 && isPartial) return <TextLink to={to}>Not known yet</TextLink>;
  // The sum excludes unknown amounts, so don't show zero as nil.
  if (amount === 0)
    return (
      <>
        <span aria-hidden>–</span>
        <HiddenText>None known</HiddenText>
      </>
    );
  return <TextLink to={to}>{`${isPartial ? 'At least ' : ''}${formatPounds(amount)}`}</TextLink>;
}
