/** Files on a task, which only colleagues with access to the task can open. */
import { clientFilesApi, WORK_FILE_PATH, WORK_FILE_UPLOAD_PATH } from '@portal/contract/client-files.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FileItem } from '../../components/client-files/file-item.tsx';
import { FilePicker } from '../../components/client-files/file-picker.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Heading, Text } from '../../ui/text.tsx';

export function WorkFiles({ companyId, itemId }: { companyId: string; itemId: string }) {
  const ids = { company_id: companyId, item_id: itemId };
  const queryClient = useQueryClient();
  const query = useQuery(apiQuery(clientFilesApi.listOfWork, ids));
  const invalidate = () => queryClient.invalidateQueries({ queryKey: [clientFilesApi.listOfWork.path] });
  const remove = useMutation({
    mutationFn: (fileId: string) => apiRequest(clientFilesApi.removeOfWork, { ...ids, file_id: fileId }),
    onSettled: invalidate,
  });
  return (
    <Stack gap={8}>
      <Heading level={3}>Files</Heading>
      {remove.error && <Text role="alert">{getErrorText(remove.error)}</Text>}
      <LoadState query={query}>
        {({ files }) =>
          files.length === 0 ? (
            <Text tone="quiet">No files yet. Colleagues who can see this task can open the files you add.</Text>
          ) : (
            <Stack as="ul" gap={0}>
              {files.map((file) => (
                <li key={file.file_id}>
                  <FileItem
                    file={file}
                    path={WORK_FILE_PATH}
                    query={ids}
                    actions={
                      <Button
                        size="small"
                        variant="text"
                        tone="error"
                        disabled={remove.isPending}
                        onClick={() => remove.mutate(file.file_id)}
                      >
                        Delete <HiddenText>{file.name}</HiddenText>
                      </Button>
                    }
                  />
                </li>
              ))}
            </Stack>
          )
        }
      </LoadState>
      <FilePicker path={WORK_FILE_UPLOAD_PATH} query={ids} isSecondary onSent={invalidate} />
    </Stack>
  );
}
