import { practiceBooksApi, type PracticeOrganisation } from '@portal/contract/practice-books.ts';
import { apiRequest } from '../../lib/api.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Text } from '../../ui/text.tsx';
import { usePracticeBooksChange } from './use-practice-books.ts';

type UnlinkDialogProps = { companyId: string; organisation: PracticeOrganisation; onClose: () => void };

export function UnlinkDialog({ companyId, organisation, onClose }: UnlinkDialogProps) {
  const { program, organisation_id, name, client_name: client } = organisation;
  const unlink = usePracticeBooksChange(() => apiRequest(practiceBooksApi.unlink, { company_id: companyId, program, organisation_id }));
  return (
    <ConfirmDialog
      heading={`Unlink ${name}?`}
      mutation={unlink}
      onConfirm={() => unlink.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
      confirmLabel="Unlink"
    >
      <Text>
        We’ll stop reading these books for {client ?? 'the client'} and delete our copy of the documents, with the figures that came from
        them. Approvals of these figures will be cancelled. Filed returns don’t change.
      </Text>
    </ConfirmDialog>
  );
}
