/** The security data of a person's profile, and mutations that confirm with a toast and load it again. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { securityApi } from '@portal/contract/security.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { useToast } from '../../ui/toast.tsx';

export type Security = EndpointOutput<typeof securityApi.get>;

export const useSecurity = () => useQuery(apiQuery(securityApi.get, {}));

/** Loads the profile again. */
export function useInvalidateSecurity(): () => Promise<void> {
  const queryClient = useQueryClient();
  return useCallback(() => queryClient.invalidateQueries({ queryKey: [securityApi.get.path] }), [queryClient]);
}

/** An action behind one button. After success `successMessage` is shown as a toast; errors are shown at the button. */
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
