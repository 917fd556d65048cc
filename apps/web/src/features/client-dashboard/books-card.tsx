/**
 * Compares the balance in the client's books with HMRC's figure for each tax, so that the practice finds a difference before HMRC asks
 * about it.
 */
import { clientDashboardApi, type BooksBalance } from '@portal/contract/client-dashboard.ts';
import { formatPounds, pence, type Pence } from '@portal/domain/money.ts';
import { parsePlainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { TAX_NAMES } from '../../lib/tax-names.ts';
import { DateText, InstantText } from '../../ui/date-text.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { toClientInput, type ClientIds } from './client-page.ts';
import { secondLine } from './figure-cells.tsx';
import { UNKNOWN_VALUE, SmallTable, type SmallColumn } from './small-table.tsx';

type BooksCardProps = { ids: ClientIds; taxes: readonly Tax[]; today: PlainDate };
type Row = { readonly tax: Tax; readonly entry: BooksBalance | undefined };

/** For example "£120.00 owed" or "£80.00 coming back". */
function balanceText(amount: Pence): string {
  if (amount === 0) return formatPounds(amount);
  return amount > 0 ? `${formatPounds(amount)} owed` : `${formatPounds(pence(-amount))} coming back`;
}

function differenceText(amount: Pence): string {
  if (amount === 0) return 'They agree';
  return amount > 0 ? `The books owe ${formatPounds(amount)} more` : `The books owe ${formatPounds(pence(-amount))} less`;
}

export function BooksCard({ ids, taxes, today }: BooksCardProps) {
  const query = useQuery(apiQuery(clientDashboardApi.books, toClientInput(ids)));
  const [writing, setWriting] = useState<Tax>();
  const columns: readonly SmallColumn<Row>[] = [
    { title: 'Tax', cell: ({ tax }) => TAX_NAMES[tax] },
    {
      title: 'By the books',
      cell: ({ entry }) =>
        entry ? (
          <>
            {balanceText(entry.balance_pence)}, <DateText date={entry.on_date} style="short" />
            {secondLine(
              <>
                Typed by {entry.entered_by}, <InstantText at={entry.entered_at} />
              </>,
            )}
          </>
        ) : (
          'Not written down'
        ),
    },
    {
      title: 'By HMRC',
      cell: ({ entry }) =>
        entry === undefined ? (
          UNKNOWN_VALUE
        ) : entry.hmrc_pence === null ? (
          'Not known'
        ) : (
          <>
            {balanceText(entry.hmrc_pence)}
            {entry.hmrc_as_of !== null && secondLine(<InstantText at={entry.hmrc_as_of} />)}
          </>
        ),
    },
    {
      title: 'Difference',
      cell: ({ entry }) =>
        entry === undefined || entry.difference_pence === null ? (
          UNKNOWN_VALUE
        ) : (
          <Box component="span" sx={entry.difference_pence === 0 ? {} : { color: 'warning.tone', fontWeight: 600 }}>
            {differenceText(entry.difference_pence)}
          </Box>
        ),
    },
    {
      title: 'Change',
      cell: ({ tax }) => (
        <Button size="small" variant="text" onClick={() => setWriting(tax)}>
          Write down<HiddenText> what the books say of {TAX_NAMES[tax]}</HiddenText>
        </Button>
      ),
    },
  ];
  return (
    <SectionCard
      title="Books against HMRC"
      source="What the books say is typed by your practice. It changes no figure on this page and is never shown as HMRC’s."
    >
      <LoadState query={query} skeleton={<TableSkeleton rows={taxes.length} />}>
        {({ balances }) => (
          <SmallTable
            label="Books against HMRC, by tax"
            columns={columns}
            rows={taxes.map((tax) => ({ tax, entry: balances.find((one) => one.tax === tax) }))}
            getKey={({ tax }) => tax}
          />
        )}
      </LoadState>
      {writing !== undefined && <BooksDialog ids={ids} tax={writing} today={today} onClose={() => setWriting(undefined)} />}
    </SectionCard>
  );
}

/** Parses pounds as people type them ("1,234.50", "-80"). Undefined for anything else. */
function parsePounds(text: string): Pence | undefined {
  const match = /^(-?)\s*£?\s*(\d{1,3}(?:,?\d{3})*|\d+)(?:\.(\d{2}))?$/.exec(text.trim());
  if (!match) return undefined;
  const [, sign = '', pounds = '', rest = '00'] = match;
  const amount = Number(pounds.replaceAll(',', '')) * 100 + Number(rest);
  return Number.isSafeInteger(amount) ? pence(sign === '-' && amount !== 0 ? -amount : amount) : undefined;
}

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
  const wrong =
    amount.trim() !== '' && balance === undefined ? 'Enter pounds, for example 1234.50, or -80.00 where HMRC owes the client' : undefined;
  return (
    <ModalDialog
      open
      small
      heading={`What the books say of ${TAX_NAMES[tax]}`}
      onClose={onClose}
      loading={save.isPending}
      actions={
        <>
          <Button variant="outlined" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={() => save.mutate()} disabled={save.isPending || balance === undefined || onDate === undefined}>
            Write it down
          </Button>
        </>
      }
    >
      <FieldFrame
        id="books-amount"
        label="Owed to HMRC by the books, in pounds"
        hint="With a minus where HMRC owes the client"
        error={wrong}
      >
        <OutlinedInput
          id="books-amount"
          value={amount}
          onChange={(event) => setAmount(event.target.value)}
          inputProps={{ inputMode: 'decimal', maxLength: 20, 'aria-describedby': 'books-amount-hint' }}
          fullWidth
        />
      </FieldFrame>
      <FieldFrame id="books-day" label="On" hint="The day up to which the books are kept">
        <OutlinedInput
          id="books-day"
          type="date"
          value={day}
          onChange={(event) => setDay(event.target.value)}
          inputProps={{ max: today, 'aria-describedby': 'books-day-hint' }}
        />
      </FieldFrame>
      <Typography variant="body2">{balance === undefined ? '' : `${balanceText(balance)}.`}</Typography>
      {save.error !== null && (
        <Notice tone="error" title="It was not written down" role="alert">
          {errorText(save.error)}
        </Notice>
      )}
    </ModalDialog>
  );
}
