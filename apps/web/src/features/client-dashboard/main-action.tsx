/** The most useful next action for a client: connect HMRC, ask for authorisation, refresh its figures, or write a note. */
import { getSettingsPath } from '@portal/contract/practice.ts';
import { useIsAdmin } from '../../lib/practice-profile.ts';
import { useHmrcConnectionProblem } from '../../lib/use-hmrc-missing.ts';
import { Button } from '../../ui/button.tsx';
import type { ClientIds, ClientProfile } from './client-page.ts';
import { getTabLink, type ClientTab } from './client-tabs.ts';
import { canRefresh } from './tax-card.tsx';
import { isRefreshing, useClientSync } from './use-client-sync.ts';

type MainActionProps = { ids: ClientIds; client: ClientProfile; tab: ClientTab };

export function MainAction({ ids, client, tab }: MainActionProps) {
  // The other sections have main actions of their own.
  const variant = tab === 'overview' ? 'filled' : 'outlined';
  const { sync, readAgain: refresh } = useClientSync(ids);
  const hmrcProblem = useHmrcConnectionProblem(ids.companyId);
  const isAdmin = useIsAdmin(ids.companyId);
  const taxes = client.taxes.filter(canRefresh);
  if (taxes.length === 0 || (hmrcProblem !== undefined && !isAdmin)) {
    return (
      <Button size="small" variant={variant} to={getTabLink(ids, 'notes')} preventScrollReset>
        Write a note
      </Button>
    );
  }
  if (hmrcProblem !== undefined) {
    return (
      <Button size="small" variant={variant} to={`${getSettingsPath('connections')}?${new URLSearchParams({ company_id: ids.companyId })}`}>
        {hmrcProblem === 'lapsed' ? 'Reconnect HMRC' : 'Connect HMRC'}
      </Button>
    );
  }
  if (client.attention === 'not_authorised') {
    return (
      <Button size="small" variant={variant} to={getTabLink(ids, 'authorisation')} preventScrollReset>
        Request authorisation
      </Button>
    );
  }
  const isBusy = refresh.isPending || (sync.data?.taxes.some(({ state }) => isRefreshing(state)) ?? false);
  return (
    <Button
      size="small"
      variant={variant}
      disabled={isBusy}
      onClick={() => {
        for (const tax of taxes) refresh.mutate(tax);
      }}
    >
      {isBusy ? 'Refreshing…' : 'Refresh figures'}
    </Button>
  );
}
