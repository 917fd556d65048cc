/** Hands one member's clients over to another, for one duty or for all. */
import { assignmentApi, type MemberWorkload } from '@portal/contract/assignment.ts';
import { DUTIES, type Duty } from '@portal/domain/clients/client.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { UndoChange } from '../../components/practice/undo-change.tsx';
import { apiRequest } from '../../lib/api.ts';
import { DUTY_NAMES, formatClientCount } from '../../lib/client-labels.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { useInvalidateClients } from '../../lib/use-invalidate-clients.ts';
import { Button } from '../../ui/button.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { Select } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';

type HandOverDialogProps = { companyId: string; members: readonly MemberWorkload[]; onClose: () => void };

export function HandOverDialog({ companyId, members, onClose }: HandOverDialogProps) {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [duty, setDuty] = useState<Duty | ''>('');
  const invalidateClients = useInvalidateClients();
  const handOver = useMutation({
    mutationFn: () =>
      apiRequest(assignmentApi.handOver, { company_id: companyId, from_user_id: from, user_id: to, ...(duty === '' ? {} : { duty }) }),
    onSuccess: invalidateClients,
  });
  const { data: handOverResult } = handOver;
  return (
    <ModalDialog
      open
      small
      heading={handOverResult ? `${formatClientCount(handOverResult.changed)} reassigned` : 'Reassign clients'}
      onClose={onClose}
      loading={handOver.isPending}
      actions={
        handOverResult ? (
          <Button onClick={onClose}>Done</Button>
        ) : (
          <>
            <Button variant="outlined" onClick={onClose} disabled={handOver.isPending}>
              Cancel
            </Button>
            <SubmitButton
              missing={getMissingText([from === '' || to === '' ? 'Choose two people.' : undefined])}
              isBusy={handOver.isPending}
              onClick={() => handOver.mutate()}
            >
              Reassign
            </SubmitButton>
          </>
        )
      }
    >
      {handOver.error && (
        <Notice tone="error" title="Nothing has changed" role="alert">
          {getErrorText(handOver.error)}
        </Notice>
      )}
      {handOverResult ? (
        <Stack gap={16}>
          {handOverResult.changes.length === 0 && <Text>There were no clients to reassign.</Text>}
          {handOverResult.changes.map(({ change_id: changeId, duty: movedDuty, clients }) => (
            <Stack key={changeId} gap={8}>
              <Text>
                {DUTY_NAMES[movedDuty]}: {formatClientCount(clients)}
              </Text>
              <UndoChange companyId={companyId} changeId={changeId} />
            </Stack>
          ))}
        </Stack>
      ) : (
        <>
          <PersonField
            id="hand-over-from"
            label="From"
            value={from}
            members={members.filter(({ user_id: id }) => id !== to)}
            onChange={setFrom}
          />
          <PersonField
            id="hand-over-to"
            label="To"
            value={to}
            members={members.filter(({ user_id: id }) => id !== from)}
            onChange={setTo}
          />
          <FieldFrame id="hand-over-duty" label="Role">
            <Select id="hand-over-duty" value={duty} onChange={({ target }) => setDuty(DUTIES.find((item) => item === target.value) ?? '')}>
              <option value="">All roles</option>
              {DUTIES.map((item) => (
                <option key={item} value={item}>
                  {DUTY_NAMES[item]}
                </option>
              ))}
            </Select>
          </FieldFrame>
        </>
      )}
    </ModalDialog>
  );
}

type PersonFieldProps = { id: string; label: string; value: string; members: readonly MemberWorkload[]; onChange: (id: string) => void };

function PersonField({ id, label, value, members, onChange }: PersonFieldProps) {
  return (
    <FieldFrame id={id} label={label}>
      <Select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">Choose…</option>
        {members.map(({ user_id: userId, full_name: name, clients }) => (
          <option key={userId} value={userId}>
            {name} ({formatClientCount(clients)})
          </option>
        ))}
      </Select>
    </FieldFrame>
  );
}
