/** An individual's tax years: the return and each payment with its own date and amount. Quarterly updates have a separate table. */
import { positionsApi } from '@portal/contract/positions.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { getItemName } from '@portal/domain/positions/item-names.ts';
import { getTaxYear } from '@portal/domain/uk-tax/calendar/tax-year.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { periodText } from '../../lib/period-text.ts';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { toClientInput, type ClientIds, type Period } from './client-page.ts';
import { renderDateCell, renderMoneyCell, renderReturnStateCell } from './figure-cells.tsx';
import { SmallTable, UNKNOWN_VALUE, type SmallColumn } from './small-table.tsx';

type Update = EndpointOutput<typeof positionsApi.selfAssessmentPeriods>['quarterly_updates'][number];
type YearPayment = Period['payments'][number];
/** The return for a year, or one of the year's payments (`payment`). */
type YearRow = { readonly key: string; readonly year: Period; readonly payment: YearPayment | null };

/** Returns one row for each year's return and one for each of its payments, newest year first. */
export function toYearRows(years: readonly Period[]): readonly YearRow[] {
  return years.flatMap((year) => [
    ...(year.return_due_on === null ? [] : [{ key: `${year.key} return`, year, payment: null }]),
    ...year.payments.map((payment, index) => ({ key: `${year.key} ${index}`, year, payment })),
  ]);
}

/** Returns, for example, "Payment on account". */
export function formatYearRow({ year, payment }: YearRow): string {
  const name = getItemName(payment?.kind ?? year.return_kind ?? 'return');
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function renderStatusCell({ year, payment }: YearRow) {
  if (payment === null) return renderReturnStateCell(year);
  if (payment.charged_pence === null) return 'Amount not known';
  if (payment.outstanding_pence === null) return UNKNOWN_VALUE;
  return payment.outstanding_pence === 0 ? 'Nothing to pay' : 'To pay';
}

const YEAR_COLUMNS: readonly SmallColumn<YearRow>[] = [
  { title: 'Tax year', cell: ({ year }) => getTaxYear(year.start) },
  { title: 'Item', cell: formatYearRow },
  { title: 'Due', cell: ({ year, payment }) => renderDateCell(payment === null ? year.return_due_on : payment.due_on) },
  { title: 'Charged', align: 'right', cell: ({ payment }) => renderMoneyCell(payment?.charged_pence ?? null) },
  { title: 'Outstanding', align: 'right', cell: ({ payment }) => renderMoneyCell(payment?.outstanding_pence ?? null) },
  { title: 'Status', cell: renderStatusCell },
];

const UPDATE_COLUMNS: readonly SmallColumn<Update>[] = [
  { title: 'Period', cell: ({ start, end }) => periodText(start, end, 'short') },
  { title: 'Due', cell: ({ due_on: due }) => renderDateCell(due) },
  {
    title: 'Status',
    cell: ({ state, received_on: receivedOn }) => renderReturnStateCell({ return_state: state, received_on: receivedOn }),
  },
];

export function SelfAssessmentYears({ ids }: { ids: ClientIds }) {
  const query = useQuery(apiQuery(positionsApi.selfAssessmentPeriods, toClientInput(ids)));
  return (
    <>
      <SectionCard title="Self Assessment: tax years">
        <LoadState query={query} skeleton={<TableSkeleton rows={3} />}>
          {({ periods }) =>
            periods.length === 0 ? (
              <Text tone="quiet">No tax years yet.</Text>
            ) : (
              <SmallTable
                label="Self Assessment, tax years"
                columns={YEAR_COLUMNS}
                rows={toYearRows(periods)}
                getKey={({ key }) => key}
                getSource={({ year }) => year}
              />
            )
          }
        </LoadState>
      </SectionCard>
      {(query.data?.quarterly_updates.length ?? 0) > 0 && (
        <SectionCard title="Self Assessment: quarterly updates">
          <SmallTable
            label="Self Assessment, quarterly updates"
            columns={UPDATE_COLUMNS}
            rows={query.data?.quarterly_updates ?? []}
            getKey={({ key }) => key}
            getSource={(row) => row}
          />
        </SectionCard>
      )}
    </>
  );
}
