/** Returns the age of the client's figures and a mutation that refreshes them. */
import { syncApi } from '@portal/contract/sync.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { useLiveSync } from '../../lib/use-live-sync.ts';
import { toClientInput, type ClientIds, type TaxFigures } from './client-page.ts';

/** Poll interval while a refresh is running and no event stream is connected. */
const REFETCH_MS = 2_000;

/** Returns whether a refresh of this tax is running. */
export const isRefreshing = (state: string | null | undefined): boolean => state === 'checking' || state === 'importing';

export function useClientSync(ids: ClientIds) {
  const client = useQueryClient();
  const { isLive } = useLiveSync(ids.companyId);
  const sync = useQuery({
    ...apiQuery(syncApi.clientSyncData, toClientInput(ids)),
    refetchInterval: ({ state }) => (!isLive && state.data?.taxes.some((tax) => isRefreshing(tax.state)) ? REFETCH_MS : false),
  });
  const isRefreshingAny = sync.data?.taxes.some((tax) => isRefreshing(tax.state)) ?? false;
  const wasRefreshing = useRef(false);
  useEffect(() => {
    // Show the new figures as soon as the refresh ends.
    if (wasRefreshing.current && !isRefreshingAny) void client.invalidateQueries();
    wasRefreshing.current = isRefreshingAny;
  }, [client, isRefreshingAny]);
  const refresh = useMutation({
    mutationFn: (tax: TaxFigures['tax']) =>
      apiRequest(syncApi.start, { company_id: ids.companyId, tax_type: tax, client_ids: [ids.clientId] }),
    onSettled: () => client.invalidateQueries({ queryKey: [syncApi.clientSyncData.path] }),
  });
  return { sync, readAgain: refresh };
}
