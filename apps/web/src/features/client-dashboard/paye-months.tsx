/** The PAYE months of one tax year, with one box per month: the charge, the amount still owed and the due date. */
import { positionsApi } from '@portal/contract/positions.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { periodText } from '../../lib/period-text.ts';
import { DateText } from '../../components/formats/date-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { toClientInput, type ClientIds } from './client-page.ts';
import styles from './paye-months.module.css';
import { SourceList } from './small-table.tsx';

type PayeYear = EndpointOutput<typeof positionsApi.payeYear>;

export function PayeMonths({ ids, year }: { ids: ClientIds; year: string }) {
  const query = useQuery({
    ...apiQuery(positionsApi.payeYear, { ...toClientInput(ids), tax_year: year }),
    placeholderData: keepPreviousData,
  });
  return (
    <SectionCard title={`PAYE months, ${year}`}>
      <LoadState query={query} skeleton={<TableSkeleton rows={4} />}>
        {(yearOutput) => (
          <Stack>
            <Text>{describePayeYear(yearOutput)}</Text>
            <ol aria-busy={query.isPlaceholderData} className={styles.months}>
              {yearOutput.months.map((month) => (
                <Box key={month.month} amounts={month} title={`Month ${month.month}: ${periodText(month.start, month.end, 'short')}`} />
              ))}
              {yearOutput.others.map((other) => (
                <Box key={other.key} amounts={other} title={`Other: ${periodText(other.start, other.end, 'short')}`} />
              ))}
            </ol>
            <Text size="small" tone="quiet">
              Source: <SourceList rows={[...yearOutput.months, ...yearOutput.others]} />
            </Text>
          </Stack>
        )}
      </LoadState>
    </SectionCard>
  );
}

/** Describes the year's totals and says what they don't include. */
export function describePayeYear({ months, charged_pence: chargedAmount, outstanding_pence: outstanding }: PayeYear): string {
  if (chargedAmount === null || outstanding === null)
    return 'No amounts are known for this year. The dates are statutory deadlines. Import a PAYE statement to see amounts.';
  const unknownNote = months.some((month) => month.charged_pence === null) ? ' Excludes months whose amounts aren’t known.' : '';
  return `${formatPounds(chargedAmount)} charged in the year, ${formatPounds(outstanding)} of it outstanding.${unknownNote}`;
}

type PayeAmounts = Pick<PayeYear['others'][number], 'charged_pence' | 'outstanding_pence' | 'due_on'>;

function Box({
  amounts: { charged_pence: chargedAmount, outstanding_pence: outstanding, due_on: due },
  title,
}: {
  amounts: PayeAmounts;
  title: string;
}) {
  return (
    <li className={styles.month}>
      <div className={styles.title}>{title}</div>
      <div>{chargedAmount === null ? 'Amount not known' : `${formatPounds(chargedAmount)} charged`}</div>
      {outstanding !== null && <div>{outstanding === 0 ? 'Paid' : `${formatPounds(outstanding)} outstanding`}</div>}
      {due !== null && (
        <div>
          Due <DateText date={due} style="short" />
        </div>
      )}
    </li>
  );
}
