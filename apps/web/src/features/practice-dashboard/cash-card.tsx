/** Twelve months of money to and from HMRC: horizontal bars with their figures, which fit into 360 px, and a table one click away. */
import type { PracticeDashboard, Totals } from '@portal/contract/practice-dashboard.ts';
import { formatPounds, pence, sumPence, toWholePounds, type Pence } from '@portal/domain/money.ts';
import { formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { FLUSH_LEFT } from '../../ui/flush-left.ts';
import { MoneyText } from '../../ui/money-text.tsx';
import { SectionCard } from '../../ui/section-card.tsx';

type Month = Totals['by_month'][number];

export function CashCard({ data }: { data: PracticeDashboard }) {
  const [asTable, setAsTable] = useState(false);
  const months = data.totals.by_month;
  return (
    <SectionCard
      title="The next twelve months"
      aside={
        <Button variant="text" size="small" sx={FLUSH_LEFT} aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show the chart' : 'Show the table'}
        </Button>
      }
      source="By the day each amount is due, as far as amounts are known. The first month also carries what is overdue."
    >
      <Typography sx={{ mb: 2 }}>{getSummary(months)}</Typography>
      {asTable ? <MonthTable months={months} /> : <MonthBars months={months} />}
    </SectionCard>
  );
}

function getSummary(months: readonly Month[]): string {
  const toPay = sumPence(months.map((month) => month.to_pay_pence));
  const toReceive = sumPence(months.map((month) => month.to_receive_pence));
  if (toPay === 0 && toReceive === 0) return 'No amount is known for the next twelve months yet.';
  const heaviest = months.reduce<Month | undefined>((most, one) => (most && most.to_pay_pence >= one.to_pay_pence ? most : one), undefined);
  const peak = heaviest && heaviest.to_pay_pence > 0 ? ` The heaviest month is ${monthName(heaviest.month, 'long')}.` : '';
  return `Clients pay ${formatPounds(toPay)} and get back ${formatPounds(toReceive)}.${peak}`;
}

function monthName(month: PlainDate, style: 'long' | 'short' = 'short'): string {
  return formatDate(month, style).split(' ').slice(1).join(' ');
}

/** Formats whole pounds; the table also shows the pence. */
function poundsText(amount: Pence): string {
  return formatPounds(pence(toWholePounds(amount, 'half-away') * 100)).replace(/\.00$/, '');
}

function MonthBars({ months }: { months: readonly Month[] }) {
  const largest = Math.max(1, ...months.flatMap((month) => [month.to_pay_pence, month.to_receive_pence]));
  return (
    <Box role="img" aria-label="Bars of money to and from HMRC by month; the table has the figures">
      {months.map((month) => (
        <Box
          key={month.month}
          sx={{
            display: 'grid',
            gridTemplateColumns: { xs: '72px 1fr', sm: '88px 1fr' },
            alignItems: 'center',
            py: 0.75,
            borderTop: 1,
            borderColor: 'divider',
            fontSize: '0.8125rem',
          }}
        >
          <Box sx={{ fontWeight: 500 }}>{monthName(month.month)}</Box>
          <Box sx={{ display: 'grid', gap: 0.5, minWidth: 0 }}>
            <Bar amount={month.to_pay_pence} largest={largest} tone="primary.main" words="to pay" />
            {month.to_receive_pence > 0 && (
              <Bar amount={month.to_receive_pence} largest={largest} tone="success.main" words="coming back" />
            )}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

/** Space to the right of the longest bar, enough for "£19,545,891 coming back". */
const LABEL_PX = 172;

function Bar({ amount, largest, tone, words }: { amount: Pence; largest: number; tone: string; words: string }) {
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minHeight: 20 }}>
      {amount > 0 && (
        <Box
          sx={{
            width: `calc((100% - ${LABEL_PX}px) * ${amount / largest})`,
            minWidth: 2,
            height: 12,
            borderRadius: '2px',
            bgcolor: tone,
            flexShrink: 0,
          }}
        />
      )}
      <Box
        component="span"
        sx={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums', color: amount === 0 ? 'text.secondary' : 'text.primary' }}
      >
        {amount === 0 ? 'nothing to pay' : `${poundsText(amount)} ${words}`}
      </Box>
    </Box>
  );
}

function MonthTable({ months }: { months: readonly Month[] }) {
  return (
    <TableContainer tabIndex={0} role="region" aria-label="Money by month, table">
      <Table size="small" sx={{ '& .MuiTableCell-root': { px: { xs: 0.5, sm: 1.5 } } }}>
        <TableHead>
          <TableRow>
            <TableCell>Month</TableCell>
            <TableCell align="right">To pay HMRC</TableCell>
            <TableCell align="right">From HMRC</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {months.map((month) => (
            <TableRow key={month.month}>
              <TableCell component="th" scope="row" sx={{ whiteSpace: 'nowrap' }}>
                {monthName(month.month)}
              </TableCell>
              <TableCell align="right">
                <MoneyText pence={month.to_pay_pence} size="table" />
              </TableCell>
              <TableCell align="right">
                <MoneyText pence={month.to_receive_pence} size="table" />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}
