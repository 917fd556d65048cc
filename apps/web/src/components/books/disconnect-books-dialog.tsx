import { BOOKS_PROGRAM_NAMES, type BooksProgramName } from '@portal/domain/connected-books/books-programs.ts';
import { apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';
import { getConnectionApi, type BooksTarget } from './books-api.ts';
import { useDecision } from './use-decision.ts';

type DisconnectBooksDialogProps = {
  target: BooksTarget;
  name: string;
  program: BooksProgramName;
  endsAtProgram: boolean;
  /** True if the books are read with the practice's authorisation, which other clients need. */
  isByPractice: boolean;
  onClose: () => void;
};

export function DisconnectBooksDialog({ target, name, program, endsAtProgram, isByPractice, onClose }: DisconnectBooksDialogProps) {
  const disconnect = useDecision(target, () => apiRequest(getConnectionApi(target).disconnect, target));
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
          {target.client_id === undefined
            ? `The figures stay as they are now and no longer follow what is entered in ${programName}.`
            : `Figures that came from ${programName} are removed, and approvals of them end.`}{' '}
          Filed returns don’t change. You can connect again, or upload a file.
        </Text>
        <Text tone="quiet">
          {isByPractice
            ? `We delete our copy of the documents. Your practice stays connected to ${programName} for its other clients.`
            : endsAtProgram
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
