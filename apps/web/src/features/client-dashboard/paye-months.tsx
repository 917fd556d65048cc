/** The PAYE months of one tax year, one box for each month: the charge, the amount still owed and the due date. */
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

type Month = EndpointOutput<typeof positionsApi.payeYear>['months'][number];

export function PayeMonths({ ids, year }: { ids: ClientIds; year: string }) {
  const query = useQuery({
    ...apiQuery(positionsApi.payeYear, { ...toClientInput(ids), tax_year: year }),
    placeholderData: keepPreviousData,
  });
  return (
    <SectionCard title={`PAYE months, ${year}`}>
      <LoadState query={query} skeleton={<TableSkeleton rows={4} />}>
        {({ months, charged_pence: charged, outstanding_pence: outstanding }) => (
          <Stack>
            <Text>
              {charged !== null && outstanding !== null
                ? `${formatPounds(charged)} charged in the year, ${formatPounds(outstanding)} of it outstanding.`
                : 'No amounts are known for this year. The dates are statutory deadlines. Import a PAYE statement to see amounts.'}
            </Text>
            <ol aria-busy={query.isPlaceholderData} className={styles.months}>
              {months.map((month) => (
                <MonthBox key={month.month} month={month} />
              ))}
            </ol>
            <Text size="small" tone="quiet">
              Source: <SourceList rows={months} />
            </Text>
          </Stack>
        )}
      </LoadState>
    </SectionCard>
  );
}

function MonthBox({ month }: { month: Month }) {
  const { charged_pence: charged, outstanding_pence: outstanding } = month;
  return (
    <li className={styles.month}>
      <div className={styles.title}>
        Month {month.month}: {periodText(month.start, month.end, 'short')}
      </div>
      <div>{charged === null ? 'Amount not known' : `${formatPounds(charged)} charged`}</div>
      {outstanding !== null && <div>{outstanding === 0 ? 'Paid' : `${formatPounds(outstanding)} outstanding`}</div>}
      <div>
        Due <DateText date={month.due_on} style="short" />
      </div>
    </li>
  );
}
