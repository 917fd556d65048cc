import { identityCheckApi } from '@portal/contract/identity-check.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { isUndecided } from './identity-check-labels.ts';

const POLL_INTERVAL_MS = 5_000;

/** Loads the identity check and polls it until it has a result. */
export function useIdentityCheck() {
  return useQuery({
    ...apiQuery(identityCheckApi.find, {}),
    refetchInterval: ({ state }) => (state.data !== undefined && isUndecided(state.data.status) ? POLL_INTERVAL_MS : false),
  });
}

/** Starts a check and opens the provider's page. */
export function useStartIdentityCheck() {
  return useMutation({
    mutationFn: () => apiRequest(identityCheckApi.begin, {}),
    onSuccess: ({ url }) => location.assign(url),
  });
}
