/** Invalidates everything that depends on clients: lists, counts, client pages, totals. */
import { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import { clientsApi } from '@portal/contract/clients.ts';
import { positionsApi } from '@portal/contract/positions.ts';
import { practiceDashboardApi } from '@portal/contract/practice-dashboard.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

const CLIENT_PATHS = [clientsApi, clientDashboardApi, positionsApi, practiceDashboardApi].flatMap((api) =>
  Object.values(api).map(({ path }) => path as string),
);

export function useInvalidateClients(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(
    () => client.invalidateQueries({ predicate: ({ queryKey: [path] }) => CLIENT_PATHS.includes(path as string) }),
    [client],
  );
}
