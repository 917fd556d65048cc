/**
 * Changes the status or the assignment of clients: one, a selection, or all that match a filter. States what will happen, then the outcome
 * for each client.
 */
import { CLIENT_STATUSES, DUTIES } from '@portal/domain/clients/client.ts';
import { clientsApi, type ClientSelection, type RowResults } from '@portal/contract/clients.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, apiQuery, apiRequest } from '../lib/api.ts';
import { formatClientCount, DUTY_NAMES, STATUS_NAMES } from '../lib/client-labels.ts';
import { errorText } from '../lib/error-text.ts';
import { useInvalidateClients } from '../lib/use-invalidate-clients.ts';
import { FieldFrame } from './form-field.tsx';
import { ModalDialog } from './modal-dialog.tsx';
import { Notice } from './notice.tsx';
import { UndoChange } from './undo-change.tsx';

export type ClientChange = 'status' | 'assign';

type ChangeClientsDialogProps = {
  change: ClientChange;
  companyId: string;
  selection: ClientSelection;
  count: number;
  /** Known client names by id. */
  names: ReadonlyMap<string, string>;
  /** Called with the change, so that the page can offer to undo it after the dialog is closed. */
  onChanged?: (changeId: string, changed: number) => void;
  onClose: () => void;
};

export function ChangeClientsDialog({ change, companyId, selection, count, names, onChanged, onClose }: ChangeClientsDialogProps) {
  const [status, setStatus] = useState<(typeof CLIENT_STATUSES)[number]>('active');
  const [userId, setUserId] = useState('');
  const [duty, setDuty] = useState<(typeof DUTIES)[number]>('manager');
  const [action, setAction] = useState<'add' | 'remove'>('add');
  const members = useQuery({ ...apiQuery(clientsApi.members, { company_id: companyId }), enabled: change === 'assign' });
  const queryClient = useQueryClient();
  const invalidateClients = useInvalidateClients();
  const save = useMutation({
    mutationFn: (): Promise<RowResults> => {
      const target = { company_id: companyId, ...selection };
      return change === 'status'
        ? apiRequest(clientsApi.setStatus, { ...target, status })
        : apiRequest(clientsApi.assign, { ...target, user_id: userId, duty, action });
    },
    onSuccess: async ({ change_id: changeId, counts }) => {
      if (changeId !== null) onChanged?.(changeId, counts.changed);
      await invalidateClients();
    },
    onError: (error) => {
      // The list has changed since it was counted. Refresh the list behind this dialog.
      if (error instanceof ApiError && error.code === 'clients.count_changed') {
        for (const { path } of [clientsApi.list, clientsApi.count]) void queryClient.invalidateQueries({ queryKey: [path] });
      }
    },
  });
  const heading = change === 'status' ? `Set the status of ${formatClientCount(count)}` : `Who looks after ${formatClientCount(count)}`;
  return (
    <ModalDialog
      open
      small
      heading={heading}
      onClose={onClose}
      loading={save.isPending}
      actions={
        save.data ? (
          <Button onClick={onClose}>Done</Button>
        ) : (
          <>
            <Button variant="outlined" onClick={onClose} disabled={save.isPending}>
              Change nothing
            </Button>
            <Button onClick={() => save.mutate()} disabled={save.isPending || (change === 'assign' && userId === '')}>
              {save.isPending
                ? `Changing ${formatClientCount(count)} …`
                : change === 'status'
                  ? `Set ${formatClientCount(count)} to ${STATUS_NAMES[status].toLowerCase()}`
                  : action === 'add'
                    ? `Give ${formatClientCount(count)}`
                    : `Take back ${formatClientCount(count)}`}
            </Button>
          </>
        )
      }
    >
      {save.data ? (
        <Outcome response={save.data} names={names} companyId={companyId} offersUndo={onChanged === undefined} />
      ) : change === 'status' ? (
        <FieldFrame id="new-status" label="Status" hint="Inactive and closed clients are in no total and not on the calendar.">
          <SelectField
            id="new-status"
            value={status}
            onSelect={setStatus}
            options={CLIENT_STATUSES.map((value) => [value, STATUS_NAMES[value]])}
          />
        </FieldFrame>
      ) : (
        <>
          <FieldFrame id="colleague" label="Colleague" hint="A team member sees the clients given to them, and no others.">
            <SelectField
              id="colleague"
              value={userId}
              onSelect={setUserId}
              options={(members.data?.members ?? []).map((member) => [
                member.user_id,
                member.is_you ? `${member.full_name} (you)` : member.full_name,
              ])}
            />
          </FieldFrame>
          <FieldFrame id="duty" label="As">
            <SelectField id="duty" value={duty} onSelect={setDuty} options={DUTIES.map((value) => [value, DUTY_NAMES[value]])} />
          </FieldFrame>
          <FieldFrame id="action" label="What to do">
            <SelectField
              id="action"
              value={action}
              onSelect={setAction}
              options={[
                ['add', 'Give into their care'],
                ['remove', 'Take out of their care'],
              ]}
            />
          </FieldFrame>
        </>
      )}
      {save.error ? (
        <Notice tone="error" title="Nothing was changed" role="alert">
          {errorText(save.error)}
        </Notice>
      ) : null}
    </ModalDialog>
  );
}

type SelectFieldProps<Value extends string> = {
  id: string;
  value: Value;
  onSelect: (value: Value) => void;
  options: readonly (readonly [Value, string])[];
};

function SelectField<Value extends string>({ id, value, onSelect, options }: SelectFieldProps<Value>) {
  return (
    <NativeSelect id={id} fullWidth value={value} input={<OutlinedInput />} onChange={(event) => onSelect(event.target.value as Value)}>
      {value === '' && <option value="">Choose</option>}
      {options.map(([option, label]) => (
        <option key={option} value={option}>
          {label}
        </option>
      ))}
    </NativeSelect>
  );
}

const OUTCOME_LABELS = { changed: 'changed', unchanged: 'was so already', not_found: 'is no longer in your list' } as const;

type OutcomeProps = { response: RowResults; names: ReadonlyMap<string, string>; companyId: string; offersUndo: boolean };

function Outcome({ response: { counts, results, change_id: changeId }, names, companyId, offersUndo }: OutcomeProps) {
  const notChanged = results.filter((result) => result.outcome !== 'changed');
  const notChangedTexts = [
    counts.unchanged > 0 ? `${formatClientCount(counts.unchanged)} had it already.` : '',
    counts.not_found > 0 ? `${formatClientCount(counts.not_found)} no longer in your list.` : '',
  ].filter((text) => text !== '');
  return (
    <>
      <Box role="status">
        <Typography sx={{ mb: 1, fontWeight: 600 }}>{formatClientCount(counts.changed)} changed.</Typography>
        {notChangedTexts.length > 0 && <Typography sx={{ mb: 1 }}>{notChangedTexts.join(' ')}</Typography>}
        {notChanged.length > 0 && (
          <Box component="ul" sx={{ m: 0, pl: 2.5, maxHeight: 240, overflowY: 'auto' }}>
            {notChanged.map((result) => (
              <li key={result.client_id}>
                {names.get(result.client_id) ?? 'A client'} {OUTCOME_LABELS[result.outcome]}
              </li>
            ))}
          </Box>
        )}
      </Box>
      {offersUndo && changeId !== null && <UndoChange companyId={companyId} changeId={changeId} />}
    </>
  );
}
