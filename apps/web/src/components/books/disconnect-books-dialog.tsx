import { BOOKS_PROVIDER_NAMES, type BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
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
  program: BooksProviderName;
  isRevokedAtProvider: boolean;
  /** True if the books are read through the practice's authorisation, which other clients need too. */
  isByPractice: boolean;
  onClose: () => void;
};

export function DisconnectBooksDialog({ target, name, program, isRevokedAtProvider, isByPractice, onClose }: DisconnectBooksDialogProps) {
  const disconnect = useDecision(target, () => apiRequest(getConnectionApi(target).disconnect, target));
  const providerName = BOOKS_PROVIDER_NAMES[program];
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
            ? `The figures will stay as they are, and we won’t update them from ${providerName} any more.`
            : `Figures from ${providerName} will be removed, and any approvals of them cancelled.`}{' '}
          Filed returns won’t change. You can connect again, or upload a file.
        </Text>
        <Text tone="quiet">
          {isByPractice
            ? `We’ll delete our copy of the documents. Your practice stays connected to ${providerName} for its other clients.`
            : isRevokedAtProvider
              ? `We’ll end our access to ${providerName} and delete our copy of your documents.`
              : `We’ll remove our access and delete our copy of your documents. ${providerName} will list this portal until you remove it there, under connected apps.`}
        </Text>
        {disconnect.error !== null && (
          <Notice tone="error" title="Nothing has changed" role="alert">
            {getErrorText(disconnect.error)}
          </Notice>
        )}
      </Stack>
    </ModalDialog>
  );
}
