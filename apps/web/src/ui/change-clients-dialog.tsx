/**
 * Changes the status or the assignment of clients: one, a selection, or all that match a filter. States what will happen, then the outcome
 * for each client.
 */
import { CLIENT_STATUSES, DUTIES } from '@portal/domain/practice/client.ts';
import { clientsApi, type ClientChoice, type RowResults } from '@portal/contract/clients.ts';
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

export type ClientAct = 'status' | 'assign';

type ChangeClientsDialogProps = {
  act: ClientAct;
  companyId: string;
  choice: ClientChoice;
  count: number;
  /** Known client names by id. */
  names: ReadonlyMap<string, string>;
  /** Called with the change, so that the page can offer to undo it after the dialog is closed. */
  onChanged?: (changeId: string, changed: number) => void;
  onClose: () => void;
};

export function ChangeClientsDialog({ act, companyId, choice, count, names, onChanged, onClose }: ChangeClientsDialogProps) {
  const [status, setStatus] = useState<(typeof CLIENT_STATUSES)[number]>('active');
  const [userId, setUserId] = useState('');
  const [duty, setDuty] = useState<(typeof DUTIES)[number]>('manager');
  const [action, setAction] = useState<'add' | 'remove'>('add');
  const members = useQuery({ ...apiQuery(clientsApi.members, { company_id: companyId }), enabled: act === 'assign' });
  const client = useQueryClient();
  const tell = useInvalidateClients();
  const run = useMutation({
    mutationFn: (): Promise<RowResults> => {
      const of = { company_id: companyId, ...choice };
      return act === 'status'
        ? apiRequest(clientsApi.setStatus, { ...of, status })
        : apiRequest(clientsApi.assign, { ...of, user_id: userId, duty, action });
    },
    onSuccess: async ({ change_id: changeId, counts }) => {
      if (changeId !== null) onChanged?.(changeId, counts.changed);
      await tell();
    },
    onError: (error) => {
      // The list has changed since it was counted. Refresh the list behind this dialog.
      if (error instanceof ApiError && error.code === 'clients.count_changed') {
        for (const { path } of [clientsApi.list, clientsApi.count]) void client.invalidateQueries({ queryKey: [path] });
      }
    },
  });
  const heading = act === 'status' ? `Set the status of ${formatClientCount(count)}` : `Who looks after ${formatClientCount(count)}`;
  return (
    <ModalDialog
      open
      small
      heading={heading}
      onClose={onClose}
      loading={run.isPending}
      actions={
        run.data ? (
          <Button onClick={onClose}>Done</Button>
        ) : (
          <>
            <Button variant="outlined" onClick={onClose} disabled={run.isPending}>
              Change nothing
            </Button>
            <Button onClick={() => run.mutate()} disabled={run.isPending || (act === 'assign' && userId === '')}>
              {run.isPending
                ? `Changing ${formatClientCount(count)} …`
                : act === 'status'
                  ? `Set ${formatClientCount(count)} to ${STATUS_NAMES[status].toLowerCase()}`
                  : action === 'add'
                    ? `Give ${formatClientCount(count)}`
                    : `Take back ${formatClientCount(count)}`}
            </Button>
          </>
        )
      }
    >
      {run.data ? (
        <Outcome said={run.data} names={names} companyId={companyId} offersUndo={onChanged === undefined} />
      ) : act === 'status' ? (
        <FieldFrame id="new-status" label="Status" hint="Inactive and closed clients are in no total and not on the calendar.">
          <Choice
            id="new-status"
            value={status}
            onPick={setStatus}
            options={CLIENT_STATUSES.map((value) => [value, STATUS_NAMES[value]])}
          />
        </FieldFrame>
      ) : (
        <>
          <FieldFrame id="colleague" label="Colleague" hint="A team member sees the clients given to them, and no others.">
            <Choice
              id="colleague"
              value={userId}
              onPick={setUserId}
              options={(members.data?.members ?? []).map((one) => [one.user_id, one.is_you ? `${one.full_name} (you)` : one.full_name])}
            />
          </FieldFrame>
          <FieldFrame id="duty" label="As">
            <Choice id="duty" value={duty} onPick={setDuty} options={DUTIES.map((value) => [value, DUTY_NAMES[value]])} />
          </FieldFrame>
          <FieldFrame id="action" label="What to do">
            <Choice
              id="action"
              value={action}
              onPick={setAction}
              options={[
                ['add', 'Give into their care'],
                ['remove', 'Take out of their care'],
              ]}
            />
          </FieldFrame>
        </>
      )}
      {run.error ? (
        <Notice tone="error" title="Nothing was changed" role="alert">
          {errorText(run.error)}
        </Notice>
      ) : null}
    </ModalDialog>
  );
}

type ChoiceProps<Value extends string> = {
  id: string;
  value: Value;
  onPick: (value: Value) => void;
  options: readonly (readonly [Value, string])[];
};

function Choice<Value extends string>({ id, value, onPick, options }: ChoiceProps<Value>) {
  return (
    <NativeSelect id={id} fullWidth value={value} input={<OutlinedInput />} onChange={(event) => onPick(event.target.value as Value)}>
      {value === '' && <option value="">Choose</option>}
      {options.map(([option, label]) => (
        <option key={option} value={option}>
          {label}
        </option>
      ))}
    </NativeSelect>
  );
}

const OUTCOMES = { changed: 'changed', unchanged: 'was so already', not_found: 'is no longer in your list' } as const;

type OutcomeProps = { said: RowResults; names: ReadonlyMap<string, string>; companyId: string; offersUndo: boolean };

function Outcome({ said: { counts, results, change_id: changeId }, names, companyId, offersUndo }: OutcomeProps) {
  const others = results.filter((result) => result.outcome !== 'changed');
  const rest = [
    counts.unchanged > 0 ? `${formatClientCount(counts.unchanged)} had it already.` : '',
    counts.not_found > 0 ? `${formatClientCount(counts.not_found)} no longer in your list.` : '',
  ].filter((text) => text !== '');
  return (
    <>
      <Box role="status">
        <Typography sx={{ mb: 1, fontWeight: 600 }}>{formatClientCount(counts.changed)} changed.</Typography>
        {rest.length > 0 && <Typography sx={{ mb: 1 }}>{rest.join(' ')}</Typography>}
        {others.length > 0 && (
          <Box component="ul" sx={{ m: 0, pl: 2.5, maxHeight: 240, overflowY: 'auto' }}>
            {others.map((result) => (
              <li key={result.client_id}>
                {names.get(result.client_id) ?? 'A client'} {OUTCOMES[result.outcome]}
              </li>
            ))}
          </Box>
        )}
      </Box>
      {offersUndo && changeId !== null && <UndoChange companyId={companyId} changeId={changeId} />}
    </>
  );
}
