/** Resolves an ambiguous row: choose an existing client, add a new one, or skip the row. */
import { clientImportsApi, type ClientImport, type ClientImportRow } from '@portal/contract/client-imports.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Radio } from '../../ui/choice.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './resolve-dialog.module.css';
import { formatRowValues, getFieldLabel } from './import-labels.ts';
import { SubmitButton } from '../../ui/submit-button.tsx';

type ResolveDialogProps = {
  readonly companyId: string;
  readonly current: ClientImport;
  /** Null while the dialog is closed. */
  readonly row: ClientImportRow | null;
  readonly onClose: () => void;
};

export function ResolveDialog(props: ResolveDialogProps) {
  // Reset the choice when the row changes.
  return <Choice key={props.row?.row ?? 0} {...props} />;
}

function Choice({ companyId, current, row, onClose }: ResolveDialogProps) {
  const [chosenOption, setChosen] = useState('');
  const queryClient = useQueryClient();
  const settle = useMutation({
    mutationFn: () => {
      const isClient = chosenOption !== 'new' && chosenOption !== 'skip';
      const choice = chosenOption === 'new' ? 'new' : chosenOption === 'skip' ? 'skip' : 'client';
      const input = { company_id: companyId, import_id: current.import_id, row: row?.row ?? 0, choice } as const;
      return apiRequest(clientImportsApi.resolve, isClient ? { ...input, client_id: chosenOption } : input);
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries();
      onClose();
    },
  });
  const isNow = current.state !== 'ready';
  return (
    <ModalDialog
      small
      open={row !== null}
      heading={row === null ? 'Choose' : `Row ${row.row}: ${row.said['name'] ?? ''}`}
      onClose={onClose}
      loading={settle.isPending}
      actions={
        <>
          <Button variant="outlined" onClick={onClose} disabled={settle.isPending}>
            Not now
          </Button>
          <SubmitButton
            missing={chosenOption === '' ? 'Choose an option.' : undefined}
            isBusy={settle.isPending}
            onClick={() => settle.mutate()}
          >
            {isNow && chosenOption !== 'skip' ? 'Import row' : 'Save choice'}
          </SubmitButton>
        </>
      }
    >
      {row !== null && (
        <Stack>
          {settle.error && (
            <Notice tone="error" title="We couldn’t save your choice" role="alert">
              {getErrorText(settle.error)}
            </Notice>
          )}
          {row.problems.map(({ field, problem }) => (
            <Text key={field}>
              {getFieldLabel(field)}: {problem}
            </Text>
          ))}
          <Text size="small" tone="quiet" className={styles.values}>
            In your file: {formatRowValues(row.said)}.
          </Text>
          <fieldset className={styles.options}>
            <legend>Which client is this?</legend>
            {[
              ...row.candidates.map(({ client_id: id, name, references }) => ({
                value: id,
                label: `${name}${references.length > 0 ? ` (${references.join(', ')})` : ''}: add missing details`,
              })),
              { value: 'new', label: 'A new client' },
              { value: 'skip', label: 'Skip this row' },
            ].map(({ value, label }) => (
              <Radio
                key={value}
                name="client"
                value={value}
                label={label}
                checked={chosenOption === value}
                onChange={() => setChosen(value)}
              />
            ))}
          </fieldset>
        </Stack>
      )}
    </ModalDialog>
  );
}
