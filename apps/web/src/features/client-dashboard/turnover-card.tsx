/** A client's 12-month turnover, by source, and the practice's own figure. Without a source it is unknown, never nil. */
import { clientDashboardApi, type Turnover } from '@portal/contract/client-dashboard.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { addMonths, formatDate, getEndOfMonth, type PlainDate } from '@portal/domain/plain-date.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DateText } from '../../components/formats/date-text.tsx';
import { formatWholePounds } from '../../components/formats/pounds-text.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { FieldFrame, getDescribedBy } from '../../ui/form-field.tsx';
import { Select, TextInput } from '../../ui/input.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { getMissingText } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import { toClientInput, type ClientIds } from './client-page.ts';
import { parsePounds } from './parse-pounds.ts';
import { SmallTable, type SmallColumn } from './small-table.tsx';

function describeSource({ source, is_from_hmrc: isFromHmrc, entered_by: enteredBy, is_imported: isImported }: Turnover): string {
  if (source === 'books') return 'Taxable sales in the client’s books';
  if (source === 'practice')
    return enteredBy === null ? 'Entered by your practice' : `${isImported ? 'Imported' : 'Entered'} by ${enteredBy}`;
  return isFromHmrc ? 'VAT returns from HMRC (box 6)' : 'VAT returns filed here (box 6)';
}

function formatTurnover({ turnover_pence: amount, exceeded_threshold_pence: threshold }: Turnover): string {
  return threshold === null ? formatPounds(amount) : `${formatPounds(amount)}, above the ${formatWholePounds(threshold)} threshold`;
}

const COLUMNS: readonly SmallColumn<Turnover>[] = [
  { title: 'Source', cell: describeSource },
  {
    title: '12-month period',
    cell: ({ start_on: start, end_on: end }) => (
      <>
        <DateText date={start} style="short" /> to <DateText date={end} style="short" />
      </>
    ),
  },
  { title: 'Turnover', wraps: true, cell: formatTurnover },
  { title: 'Assistant', cell: ({ counts }) => (counts ? 'Used' : 'Not used') },
  { title: 'As of', cell: ({ as_of: on }) => (on === null ? 'As filed' : <DateText date={on} style="short" />) },
];

export function TurnoverCard({ ids, today }: { ids: ClientIds; today: PlainDate }) {
  const query = useQuery(apiQuery(clientDashboardApi.turnover, toClientInput(ids)));
  const [isEntering, setIsEntering] = useState(false);
  return (
    <SectionCard
      title="Turnover"
      source="If two entries cover the same months, we use the later entry. For VAT registration, going above the threshold in any month counts, even if turnover is lower in a later month. Of the months above it, we show the earliest and the highest."
      aside={
        <Button size="small" variant="outlined" onClick={() => setIsEntering(true)}>
          Enter turnover
        </Button>
      }
    >
      <LoadState query={query} skeleton={<TableSkeleton rows={1} />}>
        {({ turnovers }) =>
          turnovers.length === 0 ? (
            <Text>
              Turnover isn’t known yet. Once you enter it, the assistant can tell you when the client is near the VAT registration threshold
              or could use a scheme.
            </Text>
          ) : (
            <SmallTable
              label="12-month turnover, by source"
              columns={COLUMNS}
              rows={turnovers}
              getKey={({ source, end_on: end }) => `${source} ${end}`}
            />
          )
        }
      </LoadState>
      {isEntering && (
        <TurnoverDialog ids={ids} monthEnds={listMonthEnds(today, query.data?.turnovers ?? [])} onClose={() => setIsEntering(false)} />
      )}
    </SectionCard>
  );
}

/**
 * Lists the last days of the six months before today, because VAT thresholds are tested at the end of each month, and of the earlier months
 * shown as above the threshold, so that they can be corrected.
 */
function listMonthEnds(today: PlainDate, turnovers: readonly Turnover[]): readonly [PlainDate, ...PlainDate[]] {
  const [newestMonthEnd, ...otherMonthEnds] = [1, 2, 3, 4, 5, 6].map((months) => getEndOfMonth(addMonths(today, -months)));
  const exceedingMonthEnds = turnovers.flatMap(({ end_on: end, exceeded_threshold_pence: threshold }) => (threshold === null ? [] : [end]));
  const ends = new Set([...otherMonthEnds, ...exceedingMonthEnds]);
  return [
    newestMonthEnd ?? today,
    ...[...ends]
      .filter((end) => end !== newestMonthEnd)
      .toSorted()
      .toReversed(),
  ];
}

const AMOUNT_HINT = 'Taxable sales excluding VAT, but including zero-rated sales and services bought from abroad';

type TurnoverDialogProps = { ids: ClientIds; monthEnds: ReturnType<typeof listMonthEnds>; onClose: () => void };

function TurnoverDialog({ ids, monthEnds, onClose }: TurnoverDialogProps) {
  const [amount, setAmount] = useState('');
  const [end, setEnd] = useState(monthEnds[0]);
  const client = useQueryClient();
  const turnover = parsePounds(amount);
  const isAmountInvalid = amount.trim() !== '' && (turnover === undefined || turnover < 0);
  const save = useMutation({
    mutationFn: async () => {
      if (turnover !== undefined)
        await apiRequest(clientDashboardApi.enterTurnover, { ...toClientInput(ids), turnover_pence: turnover, end_on: end });
    },
    onSuccess: async () => {
      for (const { path } of [clientDashboardApi.turnover, clientDashboardApi.timeline])
        await client.invalidateQueries({ queryKey: [path] });
      onClose();
    },
  });
  const amountError = isAmountInvalid ? 'Enter an amount in pounds, for example 84500 or 84,500.00' : undefined;
  return (
    <ConfirmDialog
      heading="Enter turnover"
      mutation={save}
      onConfirm={() => save.mutate()}
      onClose={onClose}
      confirmLabel="Save turnover"
      missing={getMissingText([amount.trim() === '' ? 'Enter the turnover.' : isAmountInvalid ? 'Correct the turnover above.' : undefined])}
      errorTitle="We couldn’t save this turnover"
    >
      <FieldFrame id="turnover-amount" label="12-month turnover, in pounds" hint={AMOUNT_HINT} error={amountError}>
        <TextInput
          id="turnover-amount"
          value={amount}
          onChange={(event) => setAmount(event.target.value)}
          inputMode="decimal"
          maxLength={20}
          aria-describedby={getDescribedBy('turnover-amount', AMOUNT_HINT, amountError)}
          isInvalid={amountError !== undefined}
        />
      </FieldFrame>
      <FieldFrame id="turnover-end" label="12 months to">
        <Select id="turnover-end" value={end} onChange={({ target }) => setEnd(monthEnds.find((one) => one === target.value) ?? end)}>
          {monthEnds.map((monthEnd) => (
            <option key={monthEnd} value={monthEnd}>
              {formatDate(monthEnd)}
            </option>
          ))}
        </Select>
      </FieldFrame>
    </ConfirmDialog>
  );
}
