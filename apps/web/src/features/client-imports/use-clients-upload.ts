/** Uploads a file of clients. Once validated, it becomes the page's import. */
import { CLIENTS_FILE_LIMIT_BYTES, CLIENTS_UPLOAD_PATH, clientImportsApi } from '@portal/contract/client-imports.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useFileUpload } from '../../lib/use-file-upload.ts';

export function useClientsUpload(companyId: string, source: string, onJudged: () => void) {
  const queries = useQueryClient();
  return useFileUpload({
    path: CLIENTS_UPLOAD_PATH,
    query: { company_id: companyId, source },
    limitBytes: CLIENTS_FILE_LIMIT_BYTES,
    ifTooLarge: 'Split it, or leave out columns that the template does not have.',
    untouched: 'No client has changed.',
    take: async () => {
      await queries.invalidateQueries({ queryKey: [clientImportsApi.info.path] });
      onJudged();
    },
  });
}
