/** The VAT returns of a year, and the refunds for the same periods. */
import { positionsApi } from '@portal/contract/positions.ts';
import { formatPounds, pence, type Pence } from '@portal/domain/money.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { periodText } from '../../lib/period-text.ts';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { toClientInput, type Charge, type ClientIds } from './client-page.ts';
import { renderMoneyCell, PERIOD_COLUMNS, renderTextCell, renderSecondLine } from './figure-cells.tsx';
import { SmallTable, type SmallColumn } from './small-table.tsx';

/** Credits are negative in the API. Here, the column title shows the direction. */
const toAmountOwed = (amount: Pence): Pence => pence(amount === 0 ? 0 : -amount);

/** HMRC doesn't pay out what it sets off. A cleared credit has been either repaid or set off. */
function renderAwaitedCell({ outstanding_pence: outstanding, set_off_pence: setOff }: Charge) {
  if (outstanding === 0) return 'None: repaid or set off';
  const remaining = toAmountOwed(pence(outstanding + setOff));
  return (
    <>
      {remaining === 0 ? 'None' : renderMoneyCell(remaining)}
      {setOff > 0 && renderSecondLine(`${formatPounds(setOff)} set against VAT owed`)}
    </>
  );
}

const compareNewestFirst = (a: Charge, b: Charge): number => (b.period_start ?? '').localeCompare(a.period_start ?? '');

const REFUND_COLUMNS: readonly SmallColumn<Charge>[] = [
  {
    title: 'Period',
    cell: (row) =>
      renderTextCell(row.period_start === null || row.period_end === null ? null : periodText(row.period_start, row.period_end, 'short')),
  },
  { title: 'Description', cell: (row) => row.title },
  { title: 'HMRC owed', align: 'right', cell: (row) => renderMoneyCell(toAmountOwed(row.original_pence)) },
  { title: 'Outstanding', align: 'right', cell: renderAwaitedCell },
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
          <Stack aria-busy={query.isPlaceholderData}>
            {periods.length === 0 ? (
              <Text tone="quiet">No VAT periods for this year yet.</Text>
            ) : (
              <SmallTable label="VAT returns" columns={PERIOD_COLUMNS} rows={periods} getKey={(row) => row.key} getSource={(row) => row} />
            )}
            <Heading level={3}>Refunds</Heading>
            {refunds.length === 0 ? (
              <Text tone="quiet">No refunds for this year yet.</Text>
            ) : (
              <SmallTable
                label="VAT refunds"
                columns={REFUND_COLUMNS}
                rows={refunds.toSorted(compareNewestFirst)}
                getKey={(row) => row.key}
                getSource={(row) => row}
              />
            )}
          </Stack>
        )}
      </LoadState>
    </SectionCard>
  );
}
