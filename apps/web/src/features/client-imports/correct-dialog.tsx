/** Corrects a row's values on screen. Initially shows only the file's columns and those with a problem. */
import { clientImportsApi, type ClientImport, type ClientImportRow } from '@portal/contract/client-imports.ts';
import { IMPORT_COLUMNS } from '@portal/domain/client-imports/import-columns.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { FieldFrame, getDescribedBy } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';
import { getFieldLabel } from './import-labels.ts';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';

type CorrectDialogProps = {
  readonly companyId: string;
  readonly current: ClientImport;
  /** Null while the dialog is closed. */
  readonly row: ClientImportRow | null;
  readonly onClose: () => void;
};

export function CorrectDialog(props: CorrectDialogProps) {
  // Reset the values when the row changes.
  return <CorrectionForm key={props.row?.row ?? 0} {...props} />;
}

function CorrectionForm({ companyId, current, row, onClose }: CorrectDialogProps) {
  const id = useId();
  const queryClient = useQueryClient();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [showsAll, setShowsAll] = useState(false);
  const correct = useMutation({
    mutationFn: () =>
      apiRequest(clientImportsApi.correct, { company_id: companyId, import_id: current.import_id, row: row?.row ?? 0, values }),
    onSuccess: async () => {
      await queryClient.invalidateQueries();
      onClose();
    },
  });
  const isChanged = Object.entries(values).some(([column, text]) => text !== (row?.said[column] ?? ''));
  const problems = row?.problems ?? [];
  const findProblem = (column: string) => problems.find(({ field }) => field === column)?.problem;
  const isShown = (column: string) => showsAll || column === 'name' || row?.said[column] !== undefined || findProblem(column) !== undefined;
  // List problems first, so that users don't have to look for them.
  const columns = IMPORT_COLUMNS.filter((column) => isShown(column)).toSorted(
    (item, other) => Number(findProblem(other) !== undefined) - Number(findProblem(item) !== undefined),
  );
  return (
    <ModalDialog
      small
      open={row !== null}
      heading={row === null ? 'Correct' : `Correct row ${row.row}`}
      onClose={onClose}
      loading={correct.isPending}
      actions={
        <>
          <Button variant="outlined" onClick={onClose} disabled={correct.isPending}>
            Cancel
          </Button>
          <SubmitButton form={`${id}-form`} missing={getMissingText([], isChanged)} isBusy={correct.isPending}>
            {current.state === 'ready' ? 'Save' : 'Save and import row'}
          </SubmitButton>
        </>
      }
    >
      <form
        id={`${id}-form`}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged) correct.mutate();
        }}
      >
        <Stack gap={0}>
          {correct.error && (
            <Notice tone="error" title="We couldn’t save the row" role="alert">
              {getErrorText(correct.error)}
            </Notice>
          )}
          {problems.some(({ field }) => field === '') && <Text>{findProblem('')}</Text>}
          {columns.map((column) => {
            const error = values[column] === undefined ? findProblem(column) : undefined;
            const fieldId = `${id}-${column}`;
            return (
              <FieldFrame key={column} id={fieldId} label={getFieldLabel(column)} error={error}>
                <TextInput
                  id={fieldId}
                  value={values[column] ?? row?.said[column] ?? ''}
                  isInvalid={error !== undefined}
                  aria-describedby={getDescribedBy(fieldId, undefined, error)}
                  autoComplete="off"
                  onChange={({ target }) => setValues({ ...values, [column]: target.value })}
                />
              </FieldFrame>
            );
          })}
          {!showsAll && (
            <Button variant="text" size="small" onClick={() => setShowsAll(true)}>
              Show all details
            </Button>
          )}
        </Stack>
      </form>
    </ModalDialog>
  );
}
