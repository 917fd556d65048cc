import { clientImportsApi, type ClientImport } from '@portal/contract/client-imports.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiRequest } from '../../lib/api.ts';
import { withIdempotencyKey } from '../../lib/idempotency-key.ts';

export type ImportAct = 'start' | 'cancel' | 'undo';

/** Starts, cancels or undoes an import, then refetches everything that shows clients. */
export function useImportActs(companyId: string, current: ClientImport | null) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (act: ImportAct) => {
      const importId = current?.import_id ?? '';
      const input = { company_id: companyId, import_id: importId };
      if (act !== 'start') return apiRequest(clientImportsApi[act], input);
      return withIdempotencyKey(`clients.import:${importId}`, (idempotencyKey) =>
        apiRequest(clientImportsApi.start, input, { idempotencyKey }),
      );
    },
    onSettled: () => queries.invalidateQueries(),
  });
}
