/** Every account with its debits and credits, the totals, and whether they agree. */
import { formatPounds, pence } from '@portal/domain/money.ts';
import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableFooter from '@mui/material/TableFooter';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import useMediaQuery from '@mui/material/useMediaQuery';
import { MoneyText } from '../../ui/money-text.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StackedAmounts } from '../../ui/stacked-amounts.tsx';
import { FLUSH_TABLE } from '../../ui/flush-table.ts';
import type { Ledger } from './operator-outputs.ts';

export function TrialBalanceCard({ ledger }: { ledger: Ledger }) {
  const narrow = useMediaQuery(useTheme().breakpoints.down('sm'));
  return (
    <SectionCard title="Trial balance">
      {ledger.difference_pence === 0 ? (
        <Notice tone="success" title="Balanced: debits equal credits" />
      ) : (
        <Notice tone="error" title={`Out of balance by ${formatPounds(pence(Math.abs(ledger.difference_pence)))}`}>
          Debits and credits must be equal. Release no payout, and call whoever looks after the portal.
        </Notice>
      )}
      {narrow ? <AccountList ledger={ledger} /> : <AccountTable ledger={ledger} />}
    </SectionCard>
  );
}

function AccountTable({ ledger }: { ledger: Ledger }) {
  return (
    <TableContainer tabIndex={0} role="region" aria-label="Accounts and their balances" sx={{ mt: 2 }}>
      <Table sx={FLUSH_TABLE}>
        <TableHead>
          <TableRow>
            <TableCell>Account</TableCell>
            <TableCell align="right">Debits</TableCell>
            <TableCell align="right">Credits</TableCell>
            <TableCell align="right">
              Balance
              <Side />
            </TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {ledger.accounts.map((account) => (
            <TableRow key={account.account}>
              <TableCell component="th" scope="row" sx={{ fontWeight: 500, position: 'sticky', left: 0, bgcolor: 'background.paper' }}>
                {account.name}
              </TableCell>
              <Amount value={account.debit_pence} />
              <Amount value={account.credit_pence} />
              <TableCell align="right" sx={{ whiteSpace: 'nowrap' }}>
                <MoneyText pence={pence(Math.abs(account.balance_pence))} size="table" />
                <Side of={getSide(account.balance_pence)} />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
        <TableFooter>
          <TableRow sx={{ '& > .MuiTableCell-root': { fontWeight: 600, color: 'text.primary' } }}>
            <TableCell component="th" scope="row" sx={{ position: 'sticky', left: 0, bgcolor: 'background.paper' }}>
              Total
            </TableCell>
            <Amount value={ledger.total_debit_pence} />
            <Amount value={ledger.total_credit_pence} />
            <TableCell align="right">
              {formatPounds(ledger.difference_pence)}
              <Side />
            </TableCell>
          </TableRow>
        </TableFooter>
      </Table>
    </TableContainer>
  );
}

/** Dr or Cr after a balance. Takes up its space even when empty, so that the figures line up with their heading. */
function Side({ of: side = '' }: { of?: string }) {
  return (
    <Box component="span" sx={{ color: 'text.secondary', ml: 0.75, display: 'inline-block', width: 20, textAlign: 'left' }}>
      {side}
    </Box>
  );
}

function AccountList({ ledger }: { ledger: Ledger }) {
  const accounts = ledger.accounts.map(({ account, name, debit_pence, credit_pence, balance_pence: balance }) => ({
    key: account,
    title: name,
    lines: [
      { name: 'Debits', value: formatPounds(debit_pence) },
      { name: 'Credits', value: formatPounds(credit_pence) },
      { name: 'Balance', value: `${formatPounds(pence(Math.abs(balance)))} ${getSide(balance)}`.trim(), strong: true },
    ],
  }));
  const total = {
    key: 'total',
    title: 'Total',
    lines: [
      { name: 'Debits', value: formatPounds(ledger.total_debit_pence), strong: true },
      { name: 'Credits', value: formatPounds(ledger.total_credit_pence), strong: true },
      { name: 'Difference', value: formatPounds(ledger.difference_pence), strong: true },
    ],
  };
  return (
    <Box sx={{ mt: 2 }}>
      <StackedAmounts stacks={[...accounts, total]} label="Accounts and their balances" />
    </Box>
  );
}

function getSide(balance: Ledger['difference_pence']): string {
  return balance === 0 ? '' : balance > 0 ? 'Dr' : 'Cr';
}

function Amount({ value }: { value: Ledger['total_debit_pence'] }) {
  return (
    <TableCell align="right" sx={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
      {formatPounds(value)}
    </TableCell>
  );
}
