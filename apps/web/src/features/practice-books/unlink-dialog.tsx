import { practiceBooksApi, type PracticeOrganisation } from '@portal/contract/practice-books.ts';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';
import { usePracticeBooksChange } from './use-practice-books.ts';

type UnlinkDialogProps = { companyId: string; organisation: PracticeOrganisation; onClose: () => void };

export function UnlinkDialog({ companyId, organisation, onClose }: UnlinkDialogProps) {
  const { program, organisation_id, name, client_name: client } = organisation;
  const unlink = usePracticeBooksChange(() => apiRequest(practiceBooksApi.unlink, { company_id: companyId, program, organisation_id }));
  return (
    <ModalDialog
      open
      small
      heading={`Unlink ${name}?`}
      onClose={onClose}
      loading={unlink.isPending}
      actions={
        <>
          <Button variant="outlined" onClick={onClose} disabled={unlink.isPending}>
            Cancel
          </Button>
          <Button onClick={() => unlink.mutate(undefined, { onSuccess: onClose })} disabled={unlink.isPending}>
            Unlink
          </Button>
        </>
      }
    >
      <Stack gap={12}>
        <Text>
          We’ll stop reading these books for {client ?? 'the client'} and delete our copy of the documents, with the figures that came from
          them. Approvals of these figures will be cancelled. Filed returns don’t change.
        </Text>
        {unlink.error !== null && (
          <Notice tone="error" title="Nothing has changed" role="alert">
            {getErrorText(unlink.error)}
          </Notice>
        )}
      </Stack>
    </ModalDialog>
  );
}
