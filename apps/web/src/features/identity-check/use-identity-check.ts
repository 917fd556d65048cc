import { identityCheckApi } from '@portal/contract/identity-security.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { isUndecided } from './identity-check-words.ts';

const LOOK_AGAIN_MS = 5_000;

/** Where the check stands; looked at again while the provider has not decided. */
export function useIdentityCheck() {
  return useQuery({
    ...apiQuery(identityCheckApi.find, {}),
    refetchInterval: ({ state }) => (state.data !== undefined && isUndecided(state.data.status) ? LOOK_AGAIN_MS : false),
  });
}

/** Leaves for the provider's page, where the check is made. */
export function useBeginIdentityCheck() {
  return useMutation({
    mutationFn: () => apiRequest(identityCheckApi.begin, {}),
    onSuccess: ({ url }) => location.assign(url),
  });
}
