/** Files a return at most once: one key for these figures, kept until HMRC has certainly refused them. */
import { vatReturnsApi } from '@portal/contract/vat-returns.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, apiQuery, apiRequest } from '../../lib/api.ts';
import { deleteIdempotencyKey, getOrCreateIdempotencyKey } from '../../lib/idempotency-key.ts';

type Filing = { readonly companyId: string; readonly obligationId: string; readonly figuresVersion: string };

/** Refused before anything was sent, so that deciding again is a new act. A conflict or a lost connection is none of these: there the first act may have worked. */
const CERTAINLY_NOT_SENT: ReadonlySet<number> = new Set([400, 401, 403, 404, 413, 422, 429]);

export function useFileReturn({ companyId, obligationId, figuresVersion }: Filing) {
  const queries = useQueryClient();
  const input = { company_id: companyId, obligation_id: obligationId };
  const decision = `file:${obligationId}:${figuresVersion}`;
  return useMutation({
    mutationFn: () =>
      apiRequest(
        vatReturnsApi.file,
        { ...input, figures_version: figuresVersion, declaration_accepted: true },
        { idempotencyKey: getOrCreateIdempotencyKey(decision) },
      ),
    onSuccess: (answer) => {
      if (answer.obligation.state === 'refused') deleteIdempotencyKey(decision);
      queries.setQueryData(apiQuery(vatReturnsApi.get, input).queryKey, answer);
    },
    onError: (error) => {
      if (error instanceof ApiError && CERTAINLY_NOT_SENT.has(error.status)) deleteIdempotencyKey(decision);
      // What is true now is read, never assumed: the figures may have changed, or the return may have gone through.
      void queries.invalidateQueries({ queryKey: [vatReturnsApi.get.path] });
    },
  });
}
