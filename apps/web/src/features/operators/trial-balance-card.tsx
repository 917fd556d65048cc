/** Every account with its debits and credits, the totals, and whether they agree. */
import { formatPounds, pence } from '@portal/domain/money.ts';
import { MEDIA_BELOW, useMediaQuery } from '../../lib/use-media-query.ts';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StackedAmounts } from '../../ui/stacked-amounts.tsx';
import { Table } from '../../ui/table.tsx';
import type { Ledger } from './operator-outputs.ts';
import styles from './trial-balance-card.module.css';

export function TrialBalanceCard({ ledger }: { ledger: Ledger }) {
  const isNarrow = useMediaQuery(MEDIA_BELOW.sm);
  return (
    <SectionCard title="Trial balance">
      <Stack>
        {ledger.difference_pence === 0 ? (
          <Notice tone="success" title="Balanced: debits equal credits" />
        ) : (
          <Notice tone="error" title={`Out of balance by ${formatPounds(pence(Math.abs(ledger.difference_pence)))}`}>
            Debits and credits must be equal. Don’t release any payouts, and contact the team that runs the portal.
          </Notice>
        )}
        {isNarrow ? <AccountList ledger={ledger} /> : <AccountTable ledger={ledger} />}
      </Stack>
    </SectionCard>
  );
}

function AccountTable({ ledger }: { ledger: Ledger }) {
  return (
    <Table label="Accounts and balances" dense flush>
      <thead>
        <tr>
          <th scope="col">Account</th>
          <th scope="col" data-numeric>
            Debits
          </th>
          <th scope="col" data-numeric>
            Credits
          </th>
          <th scope="col" data-numeric>
            Balance
            <BalanceSide />
          </th>
        </tr>
      </thead>
      <tbody>
        {ledger.accounts.map((account) => (
          <tr key={account.account}>
            <th scope="row">{account.name}</th>
            <td data-numeric>{formatPounds(account.debit_pence)}</td>
            <td data-numeric>{formatPounds(account.credit_pence)}</td>
            <td data-numeric>
              {formatPounds(pence(Math.abs(account.balance_pence)))}
              <BalanceSide of={getSide(account.balance_pence)} />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <td data-numeric>{formatPounds(ledger.total_debit_pence)}</td>
          <td data-numeric>{formatPounds(ledger.total_credit_pence)}</td>
          <td data-numeric>
            {formatPounds(ledger.difference_pence)}
            <BalanceSide />
          </td>
        </tr>
      </tfoot>
    </Table>
  );
}

/** "Dr" or "Cr" after a balance. Takes up space even when empty, so that the figures line up with their heading. */
function BalanceSide({ of: side = '' }: { of?: string }) {
  return <span className={styles.side}>{side}</span>;
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
  return <StackedAmounts stacks={[...accounts, total]} label="Accounts and balances" />;
}

function getSide(balance: Ledger['difference_pence']): string {
  return balance === 0 ? '' : balance > 0 ? 'Dr' : 'Cr';
}
