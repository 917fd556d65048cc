/** Resolves an ambiguous row: choose an existing client, add a new one, or skip the row. */
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import Box from '@mui/material/Box';
import { clientImportsApi, type ClientImport, type ClientImportRow } from '@portal/contract/client-imports.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { fieldText, formatRowValues } from './import-labels.ts';

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
  const [chosen, setChosen] = useState('');
  const queries = useQueryClient();
  const settle = useMutation({
    mutationFn: () => {
      const isClient = chosen !== 'new' && chosen !== 'skip';
      const choice = chosen === 'new' ? 'new' : chosen === 'skip' ? 'skip' : 'client';
      const input = { company_id: companyId, import_id: current.import_id, row: row?.row ?? 0, choice } as const;
      return apiRequest(clientImportsApi.resolve, isClient ? { ...input, client_id: chosen } : input);
    },
    onSuccess: async () => {
      await queries.invalidateQueries();
      onClose();
    },
  });
  const isNow = current.state !== 'ready';
  return (
    <ModalDialog
      small
      open={row !== null}
      heading={row === null ? 'Choose' : `Line ${row.row}: ${row.said['name'] ?? ''}`}
      onClose={onClose}
      loading={settle.isPending}
      actions={
        <>
          <Button variant="outlined" onClick={onClose} disabled={settle.isPending}>
            Not now
          </Button>
          <Button onClick={() => settle.mutate()} disabled={chosen === '' || settle.isPending}>
            {isNow && chosen !== 'skip' ? 'Take the row in' : 'Keep this choice'}
          </Button>
        </>
      }
    >
      {row !== null && (
        <>
          {settle.error && (
            <Box sx={{ mb: 2 }}>
              <Notice tone="error" title="This choice was not kept" role="alert">
                {errorText(settle.error)}
              </Notice>
            </Box>
          )}
          {row.problems.map(({ field, problem }) => (
            <Typography key={field} sx={{ mb: 1 }}>
              {fieldText(field)}: {problem}
            </Typography>
          ))}
          <Typography variant="body2" sx={{ mb: 2, color: 'text.secondary', overflowWrap: 'anywhere' }}>
            The row says: {formatRowValues(row.said)}.
          </Typography>
          <RadioGroup aria-label="Who is it?" value={chosen} onChange={(_event, value) => setChosen(value)}>
            {row.candidates.map(({ client_id: id, name, references }) => (
              <FormControlLabel
                key={id}
                value={id}
                control={<Radio />}
                label={`It is ${name}${references.length > 0 ? ` (${references.join(', ')})` : ''}: fill in what is missing`}
              />
            ))}
            <FormControlLabel value="new" control={<Radio />} label="It is a new client" />
            <FormControlLabel value="skip" control={<Radio />} label="Leave this row out" />
          </RadioGroup>
        </>
      )}
    </ModalDialog>
  );
}
