/** The user's security data, and mutations that confirm with a toast and refetch it. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { securityApi } from '@portal/contract/security.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { useToast } from '../../ui/toast.tsx';

export type Security = EndpointOutput<typeof securityApi.get>;

export const useSecurity = () => useQuery(apiQuery(securityApi.get, {}));

/** Refetches the profile. */
export function useInvalidateSecurity(): () => Promise<void> {
  const queryClient = useQueryClient();
  return useCallback(() => queryClient.invalidateQueries({ queryKey: [securityApi.get.path] }), [queryClient]);
}

/** Returns the action of a button. On success, shows `successMessage` as a toast. Errors are shown next to the button. */
export function useSecurityAction<Input>(action: (input: Input) => Promise<unknown>, successMessage: string) {
  const invalidateSecurity = useInvalidateSecurity();
  const toast = useToast();
  return useMutation({
    mutationFn: action,
    onSuccess: async () => {
      await invalidateSecurity();
      toast('success', successMessage);
    },
  });
}
