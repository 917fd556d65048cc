import { clientImportsApi, type ClientImport } from '@portal/contract/client-imports.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiRequest } from '../../lib/api.ts';
import { sendWithIdempotencyKey } from '../../lib/idempotency-key.ts';

export type ImportAction = 'start' | 'cancel' | 'undo';

/** Starts, cancels or undoes an import, then refetches everything that shows clients. */
export function useImportActions(companyId: string, current: ClientImport | null) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (action: ImportAction) => {
      const importId = current?.import_id ?? '';
      const input = { company_id: companyId, import_id: importId };
      if (action !== 'start') return apiRequest(clientImportsApi[action], input);
      return sendWithIdempotencyKey(`clients.import:${importId}`, (idempotencyKey) =>
        apiRequest(clientImportsApi.start, input, { idempotencyKey }),
      );
    },
    onSettled: () => queryClient.invalidateQueries(),
  });
}
