/** Cells that the tables of the client's page share. */
import type { Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import Box from '@mui/material/Box';
import { periodText } from '../../lib/period-text.ts';
import { DateText } from '../../ui/date-text.tsx';
import { MoneyText } from '../../ui/money-text.tsx';
import type { Period, TaxFigures } from './client-page.ts';
import type { SmallColumn } from './small-table.tsx';
import { SourceText } from './source-text.tsx';

const NOTHING = (
  <Box component="span" sx={{ color: 'text.secondary' }}>
    –
  </Box>
);

/** An amount nobody has said is a dash, nought is nought. */
export const money = (amount: Pence | null) => (amount === null ? NOTHING : <MoneyText pence={amount} size="table" />);
export const day = (date: PlainDate | null) => (date === null ? NOTHING : <DateText date={date} style="short" />);
export const said = (text: string | null) => text ?? NOTHING;
export const source = (row: Pick<TaxFigures, 'source' | 'as_of'>) => (
  <Box component="span" sx={{ color: 'text.secondary' }}>
    <SourceText {...row} />
  </Box>
);

/** What HMRC owes is negative; a word says so. */
const directed = (amount: Pence | null) => (
  <>
    {money(amount)}
    {amount !== null && amount < 0 && (
      <Box component="span" sx={{ display: 'block', color: 'text.secondary', fontSize: '0.8125rem' }}>
        HMRC owes
      </Box>
    )}
  </>
);

const RETURN_STATES = { not_due: 'Not due yet', due: 'To file', overdue: 'Late', filed: 'Filed' } as const;

export function returnState({ return_state: state, received_on: on }: Period) {
  if (state === null) return NOTHING;
  return state === 'filed' && on !== null ? (
    <>
      Filed, <DateText date={on} style="short" />
    </>
  ) : (
    RETURN_STATES[state]
  );
}

export const PERIOD_COLUMNS: readonly SmallColumn<Period>[] = [
  { title: 'Period', cell: (row) => periodText(row.start, row.end, 'short') },
  { title: 'Return due', cell: (row) => day(row.return_due_on) },
  { title: 'Return', cell: returnState },
  { title: 'Payment due', cell: (row) => day(row.payment_due_on) },
  { title: 'Charged', align: 'right', cell: (row) => directed(row.charged_pence) },
  { title: 'Still open', align: 'right', cell: (row) => directed(row.outstanding_pence) },
  { title: 'Source', wraps: true, cell: source },
];
