/**
 * Changes the status or assignment of clients: one client, a selection, or all that match a filter. States what will happen, and then the
 * outcome for each client.
 */
import { CLIENT_STATUSES, DUTIES } from '@portal/domain/clients/client.ts';
import { clientsApi, type ClientSelection, type RowResults } from '@portal/contract/clients.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, apiQuery, apiRequest } from '../../lib/api.ts';
import { formatClientCount, DUTY_NAMES, STATUS_NAMES } from '../../lib/client-labels.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { useInvalidateClients } from '../../lib/use-invalidate-clients.ts';
import { Button } from '../../ui/button.tsx';
import styles from './change-clients-dialog.module.css';
import { FieldFrame } from '../../ui/form-field.tsx';
import { Select } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { UndoChange } from './undo-change.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';

const ACTION_LABELS = { add: 'Assign', remove: 'Unassign' } as const;

export type ClientChange = 'status' | 'assign';

type ChangeClientsDialogProps = {
  change: ClientChange;
  companyId: string;
  selection: ClientSelection;
  count: number;
  /** The client names known so far, by id. */
  names: ReadonlyMap<string, string>;
  /** Called with the change, so that the page can offer to undo it once the dialog is closed. */
  onChanged?: (changeId: string, changedCount: number) => void;
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
      // The list has changed since it was counted, so refetch the list behind this dialog.
      if (error instanceof ApiError && error.code === 'clients.count_changed') {
        for (const { path } of [clientsApi.list, clientsApi.count]) void queryClient.invalidateQueries({ queryKey: [path] });
      }
    },
  });
  const heading = `${change === 'status' ? 'Change status of' : 'Assign'} ${formatClientCount(count)}`;
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
              Cancel
            </Button>
            <SubmitButton
              missing={change === 'assign' && userId === '' ? 'Choose a colleague.' : undefined}
              isBusy={save.isPending}
              onClick={() => save.mutate()}
            >
              {save.isPending
                ? `Changing ${formatClientCount(count)}…`
                : change === 'status'
                  ? `Set ${formatClientCount(count)} to ${STATUS_NAMES[status].toLowerCase()}`
                  : `${ACTION_LABELS[action]} ${formatClientCount(count)}`}
            </SubmitButton>
          </>
        )
      }
    >
      {save.data ? (
        <Outcome response={save.data} names={names} companyId={companyId} offersUndo={onChanged === undefined} />
      ) : change === 'status' ? (
        <FieldFrame id="new-status" label="Status" hint="Inactive and closed clients aren’t included in totals or the calendar.">
          <SelectField
            id="new-status"
            value={status}
            onSelect={setStatus}
            options={CLIENT_STATUSES.map((value) => [value, STATUS_NAMES[value]])}
          />
        </FieldFrame>
      ) : (
        <>
          <FieldFrame id="colleague" label="Colleague" hint="Team members only see clients assigned to them.">
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
          <FieldFrame id="duty" label="Role">
            <SelectField id="duty" value={duty} onSelect={setDuty} options={DUTIES.map((value) => [value, DUTY_NAMES[value]])} />
          </FieldFrame>
          <FieldFrame id="action" label="Action">
            <SelectField
              id="action"
              value={action}
              onSelect={setAction}
              options={[
                ['add', ACTION_LABELS.add],
                ['remove', ACTION_LABELS.remove],
              ]}
            />
          </FieldFrame>
        </>
      )}
      {save.error ? (
        <Notice tone="error" title="Nothing has changed" role="alert">
          {getErrorText(save.error)}
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
    <Select id={id} value={value} onChange={(event) => onSelect(event.target.value as Value)}>
      {value === '' && <option value="">Choose</option>}
      {options.map(([option, label]) => (
        <option key={option} value={option}>
          {label}
        </option>
      ))}
    </Select>
  );
}

const OUTCOME_LABELS = { changed: 'changed', unchanged: 'already up to date', not_found: 'no longer in your list' } as const;

type OutcomeProps = { response: RowResults; names: ReadonlyMap<string, string>; companyId: string; offersUndo: boolean };

function Outcome({ response: { counts, results, change_id: changeId }, names, companyId, offersUndo }: OutcomeProps) {
  const notChanged = results.filter((result) => result.outcome !== 'changed');
  const notChangedTexts = [
    counts.unchanged > 0 ? (counts.changed > 0 ? 'The rest were already up to date.' : 'They were already up to date.') : '',
    counts.not_found > 0 ? 'Clients that are no longer in your list weren’t changed.' : '',
  ].filter((text) => text !== '');
  return (
    <>
      <Stack role="status" gap={8}>
        <Text weight="bold">
          {changeId === null ? (
            formatClientCount(counts.changed)
          ) : (
            <TextLink to={getPageLink('practiceClients', { company_id: companyId, action: `change:${changeId}` })}>
              {formatClientCount(counts.changed)}
            </TextLink>
          )}{' '}
          changed.
        </Text>
        {notChangedTexts.length > 0 && <Text>{notChangedTexts.join(' ')}</Text>}
        {notChanged.length > 0 && (
          <ul className={styles.notChanged}>
            {notChanged.map((result) => (
              <li key={result.client_id}>
                {names.get(result.client_id) ?? 'A client'}: {OUTCOME_LABELS[result.outcome]}
              </li>
            ))}
          </ul>
        )}
      </Stack>
      {offersUndo && changeId !== null && <UndoChange companyId={companyId} changeId={changeId} />}
    </>
  );
}
