/** What a person's profile reads and how an act on it is made: done, told, read anew. */
import type { OutputOf } from '@portal/contract/endpoint.ts';
import { securityApi } from '@portal/contract/identity-security.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { useToast } from '../../ui/toast.tsx';

export type Security = OutputOf<typeof securityApi.get>;

export const useSecurity = () => useQuery(apiQuery(securityApi.get, {}));

/** Reads the profile anew. */
export function useReadSecurity(): () => Promise<void> {
  const queries = useQueryClient();
  return useCallback(() => queries.invalidateQueries({ queryKey: [securityApi.get.path] }), [queries]);
}

/** An act by one press; `said` is told when it is done, its failure where it was pressed. */
export function useSecurityAct<Input>(act: (input: Input) => Promise<unknown>, said: string) {
  const readAgain = useReadSecurity();
  const toast = useToast();
  return useMutation({
    mutationFn: act,
    onSuccess: async () => {
      await readAgain();
      toast('success', said);
    },
  });
}
