/**
 * Compares the balance in the client's books with HMRC's figure for each tax, so that the practice spots a difference before HMRC asks
 * about it.
 */
import { clientDashboardApi, type BooksBalance } from '@portal/contract/client-dashboard.ts';
import { formatPounds, pence, type Pence } from '@portal/domain/money.ts';
import { parsePlainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { TAX_NAMES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DateText, InstantText } from '../../components/formats/date-text.tsx';
import { FieldFrame, getDescribedBy } from '../../ui/form-field.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { TextInput } from '../../ui/input.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { toClientInput, type ClientIds } from './client-page.ts';
import { renderSecondLine } from './figure-cells.tsx';
import { parsePounds } from './parse-pounds.ts';
import { UNKNOWN_VALUE, SmallTable, type SmallColumn } from './small-table.tsx';
import { getMissingText } from '../../ui/submit-button.tsx';

type BooksCardProps = { ids: ClientIds; taxes: readonly Tax[]; today: PlainDate };
type BooksRow = { readonly tax: Tax; readonly entry: BooksBalance | undefined };

/** Formats, for example, "£120.00 owed" or "£80.00 refund due". */
function formatBalance(amount: Pence): string {
  if (amount === 0) return formatPounds(amount);
  return amount > 0 ? `${formatPounds(amount)} owed` : `${formatPounds(pence(-amount))} refund due`;
}

function formatDifference(amount: Pence): string {
  if (amount === 0) return 'No difference';
  return amount > 0 ? `Your records show ${formatPounds(amount)} more` : `Your records show ${formatPounds(pence(-amount))} less`;
}

export function BooksCard({ ids, taxes, today }: BooksCardProps) {
  const query = useQuery(apiQuery(clientDashboardApi.books, toClientInput(ids)));
  const [taxToEdit, setTaxToEdit] = useState<Tax>();
  const columns: readonly SmallColumn<BooksRow>[] = [
    { title: 'Tax', cell: ({ tax }) => TAX_NAMES[tax] },
    {
      title: 'Your records',
      cell: ({ entry }) =>
        entry ? (
          <>
            {formatBalance(entry.balance_pence)}, <DateText date={entry.on_date} style="short" />
            {renderSecondLine(
              <>
                Entered by {entry.entered_by}, <InstantText at={entry.entered_at} />
              </>,
            )}
          </>
        ) : (
          'Not entered'
        ),
    },
    {
      title: 'HMRC',
      cell: ({ entry }) =>
        entry === undefined ? (
          UNKNOWN_VALUE
        ) : entry.hmrc_pence === null ? (
          'Not known'
        ) : (
          <>
            {formatBalance(entry.hmrc_pence)}
            {entry.hmrc_as_of !== null && renderSecondLine(<InstantText at={entry.hmrc_as_of} />)}
          </>
        ),
    },
    {
      title: 'Difference',
      cell: ({ entry }) =>
        entry === undefined || entry.difference_pence === null ? (
          UNKNOWN_VALUE
        ) : (
          <Text as="span" {...(entry.difference_pence === 0 ? {} : { tone: 'warning', weight: 'bold' })}>
            {formatDifference(entry.difference_pence)}
          </Text>
        ),
    },
    {
      title: 'Action',
      cell: ({ tax }) => (
        <Button size="small" variant="text" fit="flush" onClick={() => setTaxToEdit(tax)}>
          Enter balance <HiddenText>for {TAX_NAMES[tax]}</HiddenText>
        </Button>
      ),
    },
  ];
  return (
    <SectionCard title="Your records v HMRC" source="Your practice enters these balances. They don’t change any other figure on this page.">
      <LoadState query={query} skeleton={<TableSkeleton rows={taxes.length} />}>
        {({ balances }) => (
          <SmallTable
            label="Your records v HMRC, by tax"
            columns={columns}
            rows={taxes.map((tax) => ({ tax, entry: balances.find((balance) => balance.tax === tax) }))}
            getKey={({ tax }) => tax}
          />
        )}
      </LoadState>
      {taxToEdit !== undefined && <BooksDialog ids={ids} tax={taxToEdit} today={today} onClose={() => setTaxToEdit(undefined)} />}
    </SectionCard>
  );
}

const AMOUNT_HINT = 'Use a minus sign if HMRC owes the client';

function BooksDialog({ ids, tax, today, onClose }: { ids: ClientIds; tax: Tax; today: PlainDate; onClose: () => void }) {
  const [amount, setAmount] = useState('');
  const [day, setDay] = useState<string>(today);
  const client = useQueryClient();
  const balance = parsePounds(amount);
  const onDate = parsePlainDate(day);
  const save = useMutation({
    mutationFn: async () => {
      if (balance === undefined || onDate === undefined) return;
      await apiRequest(clientDashboardApi.addBooksBalance, { ...toClientInput(ids), tax, balance_pence: balance, on_date: onDate });
    },
    onSuccess: async () => {
      for (const { path } of [clientDashboardApi.books, clientDashboardApi.timeline]) await client.invalidateQueries({ queryKey: [path] });
      onClose();
    },
  });
  const fileError =
    amount.trim() !== '' && balance === undefined
      ? 'Enter an amount in pounds, for example 1234.50, or -80.00 if HMRC owes the client'
      : undefined;
  return (
    <ConfirmDialog
      heading={`Enter ${TAX_NAMES[tax]} balance`}
      mutation={save}
      onConfirm={() => save.mutate()}
      onClose={onClose}
      confirmLabel="Save balance"
      missing={getMissingText([
        amount.trim() === '' ? 'Enter the amount.' : balance === undefined ? 'Correct the amount above.' : undefined,
        onDate === undefined ? 'Enter the date.' : undefined,
      ])}
      errorTitle="We couldn’t save this balance"
    >
      <FieldFrame id="books-amount" label="Owed to HMRC in your records, in pounds" hint={AMOUNT_HINT} error={fileError}>
        <TextInput
          id="books-amount"
          value={amount}
          onChange={(event) => setAmount(event.target.value)}
          inputMode="decimal"
          maxLength={20}
          aria-describedby={getDescribedBy('books-amount', AMOUNT_HINT, fileError)}
          isInvalid={fileError !== undefined}
        />
      </FieldFrame>
      <FieldFrame id="books-day" label="Date" hint="The date your records go up to">
        <TextInput
          id="books-day"
          type="date"
          value={day}
          onChange={(event) => setDay(event.target.value)}
          max={today}
          aria-describedby="books-day-hint"
          widthInCharacters={14}
        />
      </FieldFrame>
      <Text size="small">{balance === undefined ? '' : `${formatBalance(balance)}.`}</Text>
    </ConfirmDialog>
  );
}
