/** Files a return at most once: one key for these figures, kept until there is an answer. */
import { vatReturnsApi } from '@portal/contract/vat-returns.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { withIdempotencyKey } from '../../lib/idempotency-key.ts';

type Filing = { readonly companyId: string; readonly obligationId: string; readonly figuresVersion: string };

export function useFileReturn({ companyId, obligationId, figuresVersion }: Filing) {
  const queries = useQueryClient();
  const input = { company_id: companyId, obligation_id: obligationId };
  const decision = `file:${obligationId}:${figuresVersion}`;
  return useMutation({
    mutationFn: () =>
      withIdempotencyKey(decision, (idempotencyKey) =>
        apiRequest(vatReturnsApi.file, { ...input, figures_version: figuresVersion, declaration_accepted: true }, { idempotencyKey }),
      ),
    onSuccess: (answer) => {
      queries.setQueryData(apiQuery(vatReturnsApi.get, input).queryKey, answer);
    },
    onError: () => {
      // Always load the current state: the figures may have changed, or the return may have gone through.
      void queries.invalidateQueries({ queryKey: [vatReturnsApi.get.path] });
    },
  });
}
