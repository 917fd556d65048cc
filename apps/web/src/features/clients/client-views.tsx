/** Views of the client list: preset views first, then saved ones. */
import { clientsApi } from '@portal/contract/clients.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { ViewTabs } from '../../ui/view-tabs.tsx';
import { listPresetViews, toViewKey } from './preset-views.ts';

type ClientViewsProps = { companyId: string; today: PlainDate; isAdmin: boolean; userId: string | undefined; search: URLSearchParams };

export function ClientViews({ companyId, today, isAdmin, userId, search }: ClientViewsProps) {
  const savedViewsQuery = useQuery({
    ...apiQuery(clientsApi.savedViews, { company_id: companyId }),
    enabled: companyId !== '',
    staleTime: 60_000,
  });
  const currentViewKey = toViewKey(search);
  const list = getPageLink('practiceClients', { company_id: companyId });
  const views = [
    ...listPresetViews(today, isAdmin, userId).map(({ name, query }) => ({ key: name, name, query })),
    ...(savedViewsQuery.data?.views ?? []).map(({ view_id: key, name, query }) => ({ key, name, query })),
  ];
  return (
    <ViewTabs
      current={views.find(({ query }) => toViewKey(new URLSearchParams(query)) === currentViewKey)?.key}
      tabs={views.map(({ key, name, query }) => ({ key, name, to: query === '' ? list : `${list}&${query}` }))}
    />
  );
}
