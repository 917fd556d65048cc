/** How fresh the client's figures are, and a mutation that refreshes them. */
import { syncApi } from '@portal/contract/sync.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { useLiveSync } from '../../lib/use-live-sync.ts';
import { inputOf, type OfClient, type TaxFigures } from './client-page.ts';

/** Poll interval while a refresh runs and no event stream is connected. */
const REFETCH_MS = 2_000;

/** Whether a refresh of this tax is running. */
export const isReading = (state: string | null | undefined): boolean => state === 'checking' || state === 'importing';

export function useClientSync(of: OfClient) {
  const client = useQueryClient();
  const { isLive } = useLiveSync(of.companyId);
  const sync = useQuery({
    ...apiQuery(syncApi.clientSyncData, inputOf(of)),
    refetchInterval: ({ state }) => (!isLive && state.data?.taxes.some((tax) => isReading(tax.state)) ? REFETCH_MS : false),
  });
  const reading = sync.data?.taxes.some((tax) => isReading(tax.state)) ?? false;
  const wasReading = useRef(false);
  useEffect(() => {
    // Show the new figures as soon as the refresh ends.
    if (wasReading.current && !reading) void client.invalidateQueries();
    wasReading.current = reading;
  }, [client, reading]);
  const readAgain = useMutation({
    mutationFn: (tax: TaxFigures['tax']) =>
      apiRequest(syncApi.start, { company_id: of.companyId, tax_type: tax, client_ids: [of.clientId] }),
    onSettled: () => client.invalidateQueries({ queryKey: [syncApi.clientSyncData.path] }),
  });
  return { sync, readAgain };
}
