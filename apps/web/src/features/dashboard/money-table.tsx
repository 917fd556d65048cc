/** The chart's figures to the penny, newest first. */
import { formatDate } from '@portal/domain/plain-date.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import useMediaQuery from '@mui/material/useMediaQuery';
import { MoneyText } from '../../ui/money-text.tsx';
import { StackedAmounts } from '../../ui/stacked-amounts.tsx';

type ChartPeriod = DashboardOutput['chart'][number];

function netWords({ net_pence: net }: ChartPeriod): string {
  if (net === 0) return 'Nothing either way';
  return net < 0 ? 'HMRC owes you' : 'You owe HMRC';
}

export function MoneyTable({ periods }: { periods: readonly ChartPeriod[] }) {
  // Beside the returns, too, there is room for four columns on wide screens only.
  const narrow = useMediaQuery(useTheme().breakpoints.down('lg'));
  return narrow ? <Stacks periods={periods} /> : <Rows periods={periods} />;
}

function Stacks({ periods }: { periods: readonly ChartPeriod[] }) {
  const stacks = periods.toReversed().map((period) => ({
    key: period.period_end,
    title: `${formatDate(period.period_end, 'short')}${period.source === 'books' ? ' *' : ''}`,
    lines: [
      { name: 'VAT on sales', value: formatPounds(period.vat_out_pence) },
      { name: 'VAT on purchases', value: formatPounds(period.vat_in_pence) },
      { name: netWords(period), value: formatPounds(pence(Math.abs(period.net_pence))), strong: true },
    ],
  }));
  return <StackedAmounts stacks={stacks} label="VAT by period" />;
}

function Rows({ periods }: { periods: readonly ChartPeriod[] }) {
  return (
    <TableContainer tabIndex={0} role="region" aria-label="VAT by period, table">
      <Table size="small" sx={{ '& .MuiTableCell-root': { px: 0.75, '&:first-of-type': { pl: 0 }, '&:last-of-type': { pr: 0 } } }}>
        <TableHead>
          <TableRow>
            <TableCell>Period to</TableCell>
            <TableCell align="right">VAT on sales</TableCell>
            <TableCell align="right">VAT on purchases</TableCell>
            <TableCell align="right">Difference</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {periods.toReversed().map((period) => (
            <TableRow key={period.period_end}>
              <TableCell
                component="th"
                scope="row"
                sx={{ whiteSpace: 'nowrap', position: 'sticky', left: 0, bgcolor: 'background.paper', fontWeight: 500 }}
              >
                {formatDate(period.period_end, 'short')}
                {period.source === 'books' ? ' *' : ''}
              </TableCell>
              <TableCell align="right">
                <MoneyText pence={period.vat_out_pence} size="table" />
              </TableCell>
              <TableCell align="right">
                <MoneyText pence={period.vat_in_pence} size="table" />
              </TableCell>
              <TableCell align="right">
                <MoneyText pence={pence(Math.abs(period.net_pence))} size="table" />
                <Box sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>{netWords(period)}</Box>
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}
