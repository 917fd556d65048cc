import { BOOKS_PROVIDER_NAMES, type BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import { apiRequest } from '../../lib/api.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
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
    <ConfirmDialog
      heading={`Disconnect ${name}?`}
      mutation={disconnect}
      onConfirm={() => disconnect.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
      confirmLabel="Disconnect"
    >
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
    </ConfirmDialog>
  );
}
