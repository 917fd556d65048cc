/** Files a return at most once, by using the same key for these figures until there is a response. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { sendWithIdempotencyKey } from '../../lib/idempotency-key.ts';
import { getReturnApi, type ReturnTarget } from './return-api.ts';

type FilingRequest = { readonly input: ReturnTarget; readonly figuresVersion: string };

export function useFileReturn({ input, figuresVersion }: FilingRequest) {
  const queryClient = useQueryClient();
  const decision = `file:${input.obligation_id}:${figuresVersion}`;
  return useMutation({
    mutationFn: () =>
      sendWithIdempotencyKey(decision, (idempotencyKey) =>
        apiRequest(getReturnApi(input).file, { ...input, figures_version: figuresVersion, declaration_accepted: true }, { idempotencyKey }),
      ),
    onSuccess: (output) => {
      queryClient.setQueryData(apiQuery(getReturnApi(input).get, input).queryKey, output);
    },
    onError: () => {
      // Always load the current state: the figures may have changed, or the return may have gone through.
      void queryClient.invalidateQueries({ queryKey: [getReturnApi(input).get.path] });
    },
  });
}
