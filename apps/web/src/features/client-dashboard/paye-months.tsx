/** The PAYE months of one tax year, one box for each month: the charge, the amount still owed and the due date. */
import { positionsApi } from '@portal/contract/positions.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { formatPounds } from '@portal/domain/money.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { periodText } from '../../lib/period-text.ts';
import { DateText } from '../../ui/date-text.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { toClientInput, type ClientIds } from './client-page.ts';
import { SourceText } from './source-text.tsx';

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
          <>
            <Typography sx={{ mb: 2 }}>
              {months.some((month) => month.charged_pence !== null)
                ? `${formatPounds(charged)} charged in the year, ${formatPounds(outstanding)} of it still owed.`
                : 'No amount of this year is known; the dates follow from the rules. Import a PAYE statement to see amounts.'}
            </Typography>
            <Box
              component="ol"
              aria-busy={query.isPlaceholderData}
              sx={{
                listStyle: 'none',
                m: 0,
                p: 0,
                display: 'grid',
                gap: 1,
                gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 220px), 1fr))',
              }}
            >
              {months.map((month) => (
                <MonthBox key={month.month} month={month} />
              ))}
            </Box>
          </>
        )}
      </LoadState>
    </SectionCard>
  );
}

function MonthBox({ month }: { month: Month }) {
  const { charged_pence: charged, outstanding_pence: outstanding } = month;
  return (
    <Box
      component="li"
      sx={{ p: 1.5, border: 1, borderColor: 'divider', borderRadius: 1, fontSize: '0.875rem', fontVariantNumeric: 'tabular-nums' }}
    >
      <Box sx={{ fontWeight: 600 }}>
        Month {month.month}: {periodText(month.start, month.end, 'short')}
      </Box>
      <Box sx={{ mt: 0.5 }}>{charged === null ? 'Amount not known' : `${formatPounds(charged)} charged`}</Box>
      {outstanding !== null && <Box>{outstanding === 0 ? 'Paid' : `${formatPounds(outstanding)} still owed`}</Box>}
      <Box>
        Due <DateText date={month.due_on} style="short" />
      </Box>
      <Box sx={{ mt: 0.5, color: 'text.secondary' }}>
        <SourceText {...month} />
      </Box>
    </Box>
  );
}
