/** Changes the folder of a file and who can see it, or deletes the file. */
import { clientFilesApi, type ClientFile } from '@portal/contract/client-files.ts';
import { FILE_FOLDERS, FILE_FOLDER_NAMES, type FileFolder } from '@portal/domain/client-files/client-file.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { Select, TextInput } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';
import { toClientInput, type ClientIds } from './client-page.ts';

type FileDialogProps = { ids: ClientIds; file: ClientFile; onClose: () => void };

export function FileDialog({ ids, file, onClose }: FileDialogProps) {
  const [folder, setFolder] = useState<FileFolder>(file.folder);
  const [year, setYear] = useState(file.year === null ? '' : String(file.year));
  const [isShared, setIsShared] = useState(file.is_shared);
  const queryClient = useQueryClient();
  const toast = useToast();
  const input = { ...toClientInput(ids), file_id: file.file_id };
  const finish = async (text: string): Promise<void> => {
    await queryClient.invalidateQueries({ queryKey: [clientFilesApi.list.path] });
    toast('success', text);
    onClose();
  };
  const save = useMutation({
    mutationFn: () =>
      apiRequest(clientFilesApi.change, { ...input, folder, year: year.trim() === '' ? null : Number(year), is_shared: isShared }),
    onSuccess: () => finish('File changed'),
  });
  const remove = useMutation({ mutationFn: () => apiRequest(clientFilesApi.remove, input), onSuccess: () => finish('File deleted') });
  const error = save.error ?? remove.error;
  const isBusy = save.isPending || remove.isPending;
  return (
    <ModalDialog
      open
      small
      heading={file.name}
      onClose={onClose}
      loading={isBusy}
      actions={
        <>
          <Button variant="outlined" tone="error" disabled={isBusy} onClick={() => remove.mutate()}>
            Delete file
          </Button>
          <Button disabled={isBusy} onClick={() => save.mutate()}>
            Save
          </Button>
        </>
      }
    >
      <Stack gap={16}>
        {error !== null && (
          <Notice tone="error" title="The file hasn’t changed" role="alert">
            {getErrorText(error)}
          </Notice>
        )}
        <FieldFrame id="file-folder" label="Folder">
          <Select id="file-folder" value={folder} onChange={({ target: { value } }) => setFolder(value as FileFolder)}>
            {FILE_FOLDERS.map((key) => (
              <option key={key} value={key}>
                {FILE_FOLDER_NAMES[key]}
              </option>
            ))}
          </Select>
        </FieldFrame>
        <FieldFrame id="file-year" label="Year" optional>
          <TextInput
            id="file-year"
            inputMode="numeric"
            widthInCharacters={6}
            maxLength={4}
            value={year}
            onChange={({ target: { value } }) => setYear(value.replaceAll(/\D/g, ''))}
          />
        </FieldFrame>
        <Checkbox
          label="Share with the client"
          hint={
            file.is_from_client
              ? 'The client sent it, so the client can see it.'
              : 'The client can see it, and gets an email that doesn’t name the file.'
          }
          checked={isShared}
          disabled={file.is_from_client}
          onChange={({ target: { checked } }) => setIsShared(checked)}
        />
      </Stack>
    </ModalDialog>
  );
}
