import { clientImportsApi, type ClientImport } from '@portal/contract/client-imports.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiRequest } from '../../lib/api.ts';
import { getOrCreateIdempotencyKey } from '../../lib/idempotency-key.ts';

export type ImportAct = 'start' | 'cancel' | 'undo';

/** Starts, stops and undoes; afterwards everything that shows clients is read anew. */
export function useImportActs(companyId: string, current: ClientImport | null) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (act: ImportAct) => {
      const importId = current?.import_id ?? '';
      const input = { company_id: companyId, import_id: importId };
      // A further start of the same import (one that was stopped) is the same decision: the server finds what is done.
      return apiRequest(
        clientImportsApi[act],
        input,
        act === 'start' ? { idempotencyKey: getOrCreateIdempotencyKey(`clients.import:${importId}`) } : {},
      );
    },
    onSettled: () => queries.invalidateQueries(),
  });
}
