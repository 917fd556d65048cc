/** The bookkeeping software of a company or client. Polls while its books are being read. */
import { booksApi } from '@portal/contract/books.ts';
import type { BooksConnectionState } from '@portal/contract/books-connection.ts';
import { clientReturnsApi } from '@portal/contract/client-returns.ts';
import { returnApprovalsApi } from '@portal/contract/return-approvals.ts';
import { connectionsApi } from '@portal/contract/connections.ts';
import { dashboardApi } from '@portal/contract/dashboard.ts';
import { onboardingApi } from '@portal/contract/onboarding.ts';
import { vatReturnsApi } from '@portal/contract/vat-returns.ts';
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { getConnectionApi, type BooksTarget } from './books-api.ts';

const FOLLOW_INTERVAL_MS = 1_000;

export function useBooksConnection(target: BooksTarget) {
  const queryClient = useQueryClient();
  const query = useQuery({
    ...apiQuery(getConnectionApi(target).get, target),
    enabled: target.company_id !== '',
    refetchInterval: ({ state }) => (isReading(state.data) ? FOLLOW_INTERVAL_MS : false),
  });
  const reading = isReading(query.data);
  const wasReading = useRef(false);
  useEffect(() => {
    if (wasReading.current && !reading) invalidateFigures(queryClient);
    wasReading.current = reading;
  }, [queryClient, reading]);
  return query;
}

function isReading(data: BooksConnectionState | undefined): boolean {
  return (data?.connection?.reading ?? null) !== null;
}

/** Figures computed from the previous books are now out of date. */
export function invalidateFigures(queryClient: QueryClient): void {
  const ofTrader = [onboardingApi.progress, dashboardApi.get, booksApi.current, connectionsApi.list, ...Object.values(vatReturnsApi)];
  const changedEndpoints = [...ofTrader, ...Object.values(clientReturnsApi), returnApprovalsApi.get, returnApprovalsApi.stages];
  for (const { path } of changedEndpoints) void queryClient.invalidateQueries({ queryKey: [path] });
}
