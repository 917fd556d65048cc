/** Asks who represents the VAT group whose number an imported row shares with another client. */
import { clientImportsApi, type ClientImport, type ClientImportRow } from '@portal/contract/client-imports.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Radio } from '../../ui/choice.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './resolve-dialog.module.css';

type VatGroupAnswerDialogProps = {
  readonly companyId: string;
  readonly current: ClientImport;
  readonly row: ClientImportRow;
  readonly onClose: () => void;
};

export function VatGroupAnswerDialog({ companyId, current, row, onClose }: VatGroupAnswerDialogProps) {
  const [representativeId, setRepresentativeId] = useState('');
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      apiRequest(clientImportsApi.answerVatGroup, {
        company_id: companyId,
        import_id: current.import_id,
        row: row.row,
        representative_id: representativeId,
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries();
      onClose();
    },
  });
  const options = [row.shares_vrn_with, row.client_id !== null && { client_id: row.client_id, name: row.client_name ?? '' }];
  return (
    <ModalDialog
      small
      open
      heading="VAT group"
      onClose={onClose}
      loading={save.isPending}
      actions={
        <>
          <Button variant="outlined" onClick={onClose} disabled={save.isPending}>
            Not now
          </Button>
          <SubmitButton
            missing={representativeId === '' ? 'Choose the representative member.' : undefined}
            isBusy={save.isPending}
            onClick={() => save.mutate()}
          >
            Save VAT group
          </SubmitButton>
        </>
      }
    >
      {save.error !== null && (
        <Notice tone="error" title="We couldn’t save this VAT group" role="alert">
          {getErrorText(save.error)}
        </Notice>
      )}
      <fieldset className={styles.options}>
        <legend>Who is the representative member?</legend>
        {options.map((client) =>
          client ? (
            <Radio
              key={client.client_id}
              name="representative"
              value={client.client_id}
              label={client.name}
              checked={representativeId === client.client_id}
              onChange={() => setRepresentativeId(client.client_id)}
            />
          ) : null,
        )}
      </fieldset>
      <Text size="small" tone="quiet">
        It has the group’s VAT number, and the group’s VAT counts there. Clients in this file with the number and no VAT of their own become
        members.
      </Text>
    </ModalDialog>
  );
}
