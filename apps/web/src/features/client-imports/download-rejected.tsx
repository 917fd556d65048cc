/** Downloads the rows that weren't imported, with the reasons, so that they can be corrected in a spreadsheet. */
import { clientImportsApi, type ClientImport } from '@portal/contract/client-imports.ts';
import { useMutation } from '@tanstack/react-query';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Text } from '../../ui/text.tsx';

export function DownloadRejected({ companyId, current }: { companyId: string; current: ClientImport }) {
  const download = useMutation({
    mutationFn: async () => {
      const file = await apiRequest(clientImportsApi.rejected, { company_id: companyId, import_id: current.import_id });
      const url = URL.createObjectURL(new Blob([file.csv], { type: 'text/csv;charset=utf-8' }));
      Object.assign(document.createElement('a'), { href: url, download: file.file_name }).click();
      URL.revokeObjectURL(url);
    },
  });
  const { ambiguous, duplicate, invalid } = current.counts;
  const count = ambiguous + duplicate + invalid;
  if (count === 0) return null;
  return (
    <>
      <Button variant="outlined" onClick={() => download.mutate()} disabled={download.isPending}>
        Download {count.toLocaleString('en-GB')} {count === 1 ? 'row' : 'rows'} to fix
      </Button>
      {download.error && (
        <Text tone="error" role="alert">
          {getErrorText(download.error)}
        </Text>
      )}
    </>
  );
}
