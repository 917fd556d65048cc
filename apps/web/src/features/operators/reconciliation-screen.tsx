/** Money that doesn't add up, and requests awaiting a second operator. */
import { Stack } from '../../ui/layout.tsx';
import { Page } from '../../ui/page.tsx';
import { ApprovalsCard } from './approvals-card.tsx';
import { DirectDebitPayoutsCard } from './direct-debit-payouts-card.tsx';
import { ExceptionsCard } from './exceptions-card.tsx';

export function ReconciliationScreen() {
  return (
    <Page title="Reconciliation" maxWidth="full">
      <Stack gap={24}>
        <ApprovalsCard />
        <ExceptionsCard />
        <DirectDebitPayoutsCard />
      </Stack>
    </Page>
  );
}
