/** Uploads a client file. Once validated, it becomes the page's import. */
import { MAX_CLIENTS_FILE_BYTES, CLIENTS_UPLOAD_PATH, clientImportsApi } from '@portal/contract/client-imports.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useFileUpload } from '../../lib/use-file-upload.ts';

export function useClientsUpload(companyId: string, source: string, onValidated: () => void) {
  const queryClient = useQueryClient();
  return useFileUpload({
    path: CLIENTS_UPLOAD_PATH,
    query: { company_id: companyId, source },
    maxFileBytes: MAX_CLIENTS_FILE_BYTES,
    tooLargeAdvice: 'Split the file, or remove columns that aren’t in the template.',
    unchangedText: 'No clients have changed.',
    onUploaded: async () => {
      await queryClient.invalidateQueries({ queryKey: [clientImportsApi.info.path] });
      onValidated();
    },
  });
}
