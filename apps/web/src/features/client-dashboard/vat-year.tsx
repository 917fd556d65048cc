/** The VAT returns of a year, and the refunds of the same periods. */
import { positionsApi } from '@portal/contract/positions.ts';
import { formatPounds, pence, type Pence } from '@portal/domain/money.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { periodText } from '../../lib/period-text.ts';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { toClientInput, type Charge, type ClientIds } from './client-page.ts';
import { moneyCell, PERIOD_COLUMNS, textCell, sourceCell, secondLine } from './figure-cells.tsx';
import { SmallTable, type SmallColumn } from './small-table.tsx';

/** Credits are negative in the API. Here the column's title shows the direction. */
const owedBack = (amount: Pence): Pence => pence(amount === 0 ? 0 : -amount);

/** HMRC doesn't pay out what it sets off. A cleared credit was paid out or used. */
function stillToComeCell({ outstanding_pence: outstanding, set_off_pence: setOff }: Charge) {
  if (outstanding === 0) return 'Nothing: paid or used';
  const left = owedBack(pence(outstanding + setOff));
  return (
    <>
      {left === 0 ? 'Nothing' : moneyCell(left)}
      {setOff > 0 && secondLine(`${formatPounds(setOff)} set against VAT owed`)}
    </>
  );
}

const REFUND_COLUMNS: readonly SmallColumn<Charge>[] = [
  {
    title: 'Period',
    cell: (row) =>
      textCell(row.period_start === null || row.period_end === null ? null : periodText(row.period_start, row.period_end, 'short')),
  },
  { title: 'What', cell: (row) => row.title },
  { title: 'HMRC owed', align: 'right', cell: (row) => moneyCell(owedBack(row.original_pence)) },
  { title: 'Still to come', align: 'right', cell: stillToComeCell },
  { title: 'Source', wraps: true, cell: sourceCell },
];

export function VatYear({ ids, year }: { ids: ClientIds; year: string }) {
  const query = useQuery({
    ...apiQuery(positionsApi.vatReturns, { ...toClientInput(ids), tax_year: year }),
    placeholderData: keepPreviousData,
  });
  return (
    <SectionCard title="VAT returns and refunds">
      <LoadState query={query} skeleton={<TableSkeleton rows={4} />}>
        {({ periods, refunds }) => (
          <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }} aria-busy={query.isPlaceholderData}>
            {periods.length === 0 ? (
              <Typography sx={{ color: 'text.secondary' }}>No VAT period of this year is known.</Typography>
            ) : (
              <SmallTable label="VAT returns" columns={PERIOD_COLUMNS} rows={periods} getKey={(row) => row.key} />
            )}
            <Typography component="h3" variant="h3">
              Refunds
            </Typography>
            {refunds.length === 0 ? (
              <Typography sx={{ color: 'text.secondary' }}>No refund of this year is known.</Typography>
            ) : (
              <SmallTable label="VAT refunds" columns={REFUND_COLUMNS} rows={refunds} getKey={(row) => row.key} />
            )}
          </Box>
        )}
      </LoadState>
    </SectionCard>
  );
}
