import { booksConnectionApi } from '@portal/contract/books-connection.ts';
import { BOOKS_PROGRAM_NAMES, type BooksProgramName } from '@portal/domain/connected-books/books-programs.ts';
import { apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';
import { useDecision } from './use-decision.ts';

type DisconnectBooksDialogProps = {
  companyId: string;
  name: string;
  program: BooksProgramName;
  endsAtProgram: boolean;
  onClose: () => void;
};

export function DisconnectBooksDialog({ companyId, name, program, endsAtProgram, onClose }: DisconnectBooksDialogProps) {
  const disconnect = useDecision(companyId, () => apiRequest(booksConnectionApi.disconnect, { company_id: companyId }));
  const programName = BOOKS_PROGRAM_NAMES[program];
  return (
    <ModalDialog
      open
      small
      heading={`Disconnect ${name}?`}
      onClose={onClose}
      loading={disconnect.isPending}
      actions={
        <>
          <Button variant="outlined" onClick={onClose} disabled={disconnect.isPending}>
            Cancel
          </Button>
          <Button onClick={() => disconnect.mutate(undefined, { onSuccess: onClose })} disabled={disconnect.isPending}>
            Disconnect
          </Button>
        </>
      }
    >
      <Stack gap={12}>
        <Text>
          Your figures stay as they are now and no longer follow what you enter in {programName}. Returns that you’ve filed don’t change.
          You can connect again, or upload a file.
        </Text>
        <Text tone="quiet">
          {endsAtProgram
            ? `We end our access at ${programName} and delete our copy of your documents.`
            : `We delete our access and our copy of your documents. ${programName} lists this portal until you remove it there, under connected apps.`}
        </Text>
        {disconnect.error !== null && (
          <Notice tone="error" title="Nothing has changed" role="alert">
            {errorText(disconnect.error)}
          </Notice>
        )}
      </Stack>
    </ModalDialog>
  );
}
