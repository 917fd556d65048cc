/** Finds out why the practice has no working connection to HMRC, so that screens can disable actions that need one. */
import { syncStatusEndpoints } from '@portal/contract/sync-status.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from './api.ts';

export type HmrcConnectionProblem = 'not_connected' | 'declined' | 'lapsed';

/** Returns undefined while connected, and also until the status is known, because the action itself then reports any problem. */
export function useHmrcConnectionProblem(companyId: string): HmrcConnectionProblem | undefined {
  const { data } = useQuery({
    ...apiQuery(syncStatusEndpoints.accountantConnections, { company_id: companyId }),
    enabled: companyId !== '',
  });
  const status = data?.connections.find(({ provider }) => provider === 'hmrc')?.status;
  return status === 'connected' ? undefined : status;
}
