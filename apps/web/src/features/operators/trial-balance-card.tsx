/** Every account with its debits and credits, the totals, and in words whether they are equal. */
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
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { MoneyText } from '../../ui/money-text.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import type { Ledger } from './ledger-screen.tsx';

export function TrialBalanceCard({ ledger }: { ledger: Ledger }) {
  const narrow = useMediaQuery(useTheme().breakpoints.down('md'));
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
                  {sideOf(account.balance_pence)}
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
  );
}

/** The same on a phone: each account with its three amounts under its name, nothing to scroll sideways for. */
function AccountList({ ledger }: { ledger: Ledger }) {
  const total = {
    account: 'total',
    name: 'Total',
    debit_pence: ledger.total_debit_pence,
    credit_pence: ledger.total_credit_pence,
    balance_pence: ledger.difference_pence,
  };
  return (
    <Box component="ul" aria-label="Accounts and their balances" sx={{ listStyle: 'none', m: 0, mt: 2, p: 0 }}>
      {[...ledger.accounts, total].map((account) => (
        <Box component="li" key={account.account} sx={{ py: 1.5, borderTop: 1, borderColor: 'divider' }}>
          <Typography sx={{ fontWeight: 600 }}>{account.name}</Typography>
          <Box component="dl" sx={{ m: 0, mt: 0.5, display: 'grid', gridTemplateColumns: 'auto 1fr', columnGap: 2, fontSize: '0.875rem' }}>
            <Line name="Debits" value={formatPounds(account.debit_pence)} />
            <Line name="Credits" value={formatPounds(account.credit_pence)} />
            <Line
              name={account === total ? 'Difference' : 'Balance'}
              value={`${formatPounds(pence(Math.abs(account.balance_pence)))} ${sideOf(account.balance_pence)}`.trim()}
              strong
            />
          </Box>
        </Box>
      ))}
    </Box>
  );
}

function Line({ name, value, strong = false }: { name: string; value: string; strong?: boolean }) {
  return (
    <>
      <Box component="dt" sx={{ color: 'text.secondary' }}>
        {name}
      </Box>
      <Box component="dd" sx={{ m: 0, textAlign: 'right', fontVariantNumeric: 'tabular-nums', fontWeight: strong ? 600 : 400 }}>
        {value}
      </Box>
    </>
  );
}

function sideOf(balance: Ledger['difference_pence']): string {
  return balance === 0 ? '' : balance > 0 ? 'Dr' : 'Cr';
}

function Amount({ value }: { value: Ledger['total_debit_pence'] }) {
  return (
    <TableCell align="right" sx={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
      {formatPounds(value)}
    </TableCell>
  );
}
