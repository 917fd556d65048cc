/** Every account with its debits and credits, the totals, and in words whether they are equal. */
import { formatPounds, pence } from '@portal/domain/money.ts';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableFooter from '@mui/material/TableFooter';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Box from '@mui/material/Box';
import { MoneyText } from '../../ui/money-text.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import type { Ledger } from './ledger-screen.tsx';

export function TrialBalanceCard({ ledger }: { ledger: Ledger }) {
  return (
    <SectionCard title="Trial balance">
      {ledger.difference_pence === 0 ? (
        <Notice tone="success" title="Balanced: debits equal credits" />
      ) : (
        <Notice tone="error" title={`Out of balance by ${formatPounds(pence(Math.abs(ledger.difference_pence)))}`}>
          Debits and credits must be equal. Release no payout, and call whoever looks after the portal.
        </Notice>
      )}
      <TableContainer tabIndex={0} role="region" aria-label="Accounts and their balances" sx={{ mt: 2 }}>
        <Table>
          <TableHead>
            <TableRow>
              <TableCell>Account</TableCell>
              <TableCell align="right">Debits</TableCell>
              <TableCell align="right">Credits</TableCell>
              <TableCell align="right">Balance</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {ledger.accounts.map((account) => (
              <TableRow key={account.account} hover>
                <TableCell component="th" scope="row" sx={{ fontWeight: 500, position: 'sticky', left: 0, bgcolor: 'background.paper' }}>
                  {account.name}
                </TableCell>
                <Amount value={account.debit_pence} />
                <Amount value={account.credit_pence} />
                <TableCell align="right" sx={{ whiteSpace: 'nowrap' }}>
                  <MoneyText pence={pence(Math.abs(account.balance_pence))} size="table" />
                  <Box component="span" sx={{ color: 'text.secondary', ml: 0.75, display: 'inline-block', width: 20, textAlign: 'left' }}>
                    {account.balance_pence === 0 ? '' : account.balance_pence > 0 ? 'Dr' : 'Cr'}
                  </Box>
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
                <Box component="span" sx={{ ml: 0.75, display: 'inline-block', width: 20 }} />
              </TableCell>
            </TableRow>
          </TableFooter>
        </Table>
      </TableContainer>
    </SectionCard>
  );
}

function Amount({ value }: { value: Ledger['total_debit_pence'] }) {
  return (
    <TableCell align="right" sx={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
      {formatPounds(value)}
    </TableCell>
  );
}
