/** Whether the practice's connection to HMRC is missing or has ended: then nothing that asks HMRC can be pressed. Live where the screen follows the sync. */
import { syncApi } from '@portal/contract/sync.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from './api.ts';

export type HmrcMissing = 'not_connected' | 'declined' | 'lapsed';

/** Undefined while it is connected, and while nobody knows: a press then finds out. */
export function useHmrcMissing(companyId: string): HmrcMissing | undefined {
  const { data } = useQuery({ ...apiQuery(syncApi.accountantConnections, { company_id: companyId }), enabled: companyId !== '' });
  const status = data?.connections.find(({ provider }) => provider === 'hmrc')?.status;
  return status === 'connected' ? undefined : status;
}
