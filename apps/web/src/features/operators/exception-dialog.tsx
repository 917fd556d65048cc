/** One reconciliation exception: what happened, the notes, and the action that resolves it, with its figures shown first. */
import { deskApi } from '@portal/contract/desk.ts';
import { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { withIdempotencyKey } from '../../lib/idempotency-key.ts';
import { Button } from '../../ui/button.tsx';
import { Radio } from '../../ui/choice.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import { describedBy, FieldFrame } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';
import { useToast } from '../../ui/toast.tsx';
import styles from './exception-dialog.module.css';
import { describeCandidate, describeMatch, describeException, type ReconciliationException } from './exception-labels.ts';
import { getReasonError, ReasonField } from './reason-field.tsx';

/** Open while an exception is given. */
export function ExceptionDialog({ exception, onClose }: { exception: ReconciliationException | undefined; onClose: () => void }) {
  return exception ? <OpenDialog key={exception.subject_id} exception={exception} onClose={onClose} /> : null;
}

type ExceptionAction = 'note' | 'return' | { readonly match: string };

const SAVED: Readonly<Record<'match' | 'return' | 'note', string>> = {
  match: 'Payment matched',
  return: 'Return recorded',
  note: 'Note saved',
};

const BUTTONS: typeof SAVED = { match: 'Match payment', return: 'Record return', note: 'Save note' };

/**
 * The server knows which credit was already decided, so each attempt may have a new key. A note has one key for as long as it is being
 * written.
 */
function send(
  exception: ReconciliationException,
  act: ExceptionAction,
  noteId: string,
  reason: string,
  reference: string,
): Promise<unknown> {
  const company_id = exception.company_id;
  if (act === 'note') {
    return apiRequest(reconciliationExceptionsApi.note, { company_id, subject_id: exception.subject_id, note_id: noteId, text: reason });
  }
  const credit = { company_id, credit_id: exception.subject_id, reason };
  const decision = `matter:${exception.subject_id}:${act === 'return' ? 'return' : act.match}`;
  return withIdempotencyKey<unknown>(decision, (idempotencyKey) =>
    act === 'return'
      ? apiRequest(reconciliationExceptionsApi.recordReturn, { ...credit, return_reference: reference }, { idempotencyKey })
      : apiRequest(reconciliationExceptionsApi.match, { ...credit, advance_id: act.match }, { idempotencyKey }),
  );
}

function OpenDialog({ exception, onClose }: { exception: ReconciliationException; onClose: () => void }) {
  // Never preselect a match: it can't be undone.
  const [chosen, setChosen] = useState('note');
  const [reason, setReason] = useState('');
  const [reference, setReference] = useState('');
  const [noteId] = useState(() => crypto.randomUUID());
  const [hasTried, setHasTried] = useState(false);
  const queries = useQueryClient();
  const toast = useToast();
  const kind = chosen === 'note' || chosen === 'return' ? chosen : 'match';
  const act: ExceptionAction = kind === 'match' ? { match: chosen } : kind;
  const missingReason = getReasonError(reason);
  const missingReference =
    kind === 'return' && reference.trim().length < 3 ? 'Enter the payment’s reference (at least 3 characters)' : undefined;
  const save = useMutation({
    mutationFn: () => send(exception, act, noteId, reason.trim(), reference.trim()),
    onSuccess: () => {
      toast('success', SAVED[kind]);
      onClose();
    },
    onSettled: () =>
      Promise.all(
        [reconciliationExceptionsApi.list.path, deskApi.list.path].map((path) => queries.invalidateQueries({ queryKey: [path] })),
      ),
  });
  const press = () => {
    setHasTried(true);
    if (missingReason === undefined && missingReference === undefined) save.mutate();
  };
  return (
    <ModalDialog
      open
      heading={exception.company_name}
      onClose={onClose}
      loading={save.isPending}
      actions={
        <>
          <Button variant="outlined" onClick={onClose} disabled={save.isPending}>
            Cancel
          </Button>
          <Button onClick={press} isBusy={save.isPending}>
            {BUTTONS[kind]}
          </Button>
        </>
      }
    >
      <Stack>
        <Text>{describeException(exception)}</Text>
        <Notes exception={exception} />
        {exception.kind === 'credit' && <Choices exception={exception} chosen={chosen} choose={setChosen} />}
        <div>
          {kind === 'return' && (
            <ReferenceField value={reference} onChange={setReference} error={hasTried ? missingReference : undefined} />
          )}
          <ReasonField
            id="exception-reason"
            label={kind === 'note' ? 'Note' : 'Reason'}
            hint={kind === 'note' ? 'Saved with your name.' : 'Saved with your name. You can’t undo this.'}
            value={reason}
            onChange={setReason}
            error={hasTried ? missingReason : undefined}
          />
        </div>
        {save.error && (
          <Notice tone="error" title="Not saved" role="alert">
            {errorText(save.error)}
          </Notice>
        )}
      </Stack>
    </ModalDialog>
  );
}

function Notes({ exception }: { exception: ReconciliationException }) {
  if (exception.notes.length === 0) return null;
  return (
    <Stack as="ul" gap={0} aria-label="Notes" className={styles.notes}>
      {exception.notes.map((note) => (
        <li key={`${note.at}${note.text}`}>
          <Text>{note.text}</Text>
          <Text size="small" tone="quiet">
            {note.by}, <InstantText at={note.at} />
          </Text>
        </li>
      ))}
    </Stack>
  );
}

function Choices({ exception, chosen, choose }: { exception: ReconciliationException; chosen: string; choose: (value: string) => void }) {
  const choices = [
    ...exception.candidates.map((candidate) => ({
      value: candidate.advance_id,
      label: describeCandidate(candidate),
      hint: describeMatch(candidate),
    })),
    {
      value: 'return',
      label: 'Returned to sender',
      hint: 'Return the money at the payments provider first. This only records it.',
    },
    { value: 'note', label: 'Not sure yet', hint: 'Add a note and leave the exception open.' },
  ];
  return (
    <div>
      <Text id="exception-choices" weight="medium">
        How should we record this payment?
      </Text>
      <div role="radiogroup" aria-labelledby="exception-choices">
        {choices.map(({ value, label, hint }) => (
          <Radio
            key={value}
            name="exception-choice"
            value={value}
            label={label}
            hint={hint}
            checked={chosen === value}
            onChange={() => choose(value)}
          />
        ))}
      </div>
    </div>
  );
}

type ReferenceFieldProps = { value: string; onChange: (value: string) => void; error: string | undefined };

function ReferenceField({ value, onChange, error }: ReferenceFieldProps) {
  const id = 'return-reference';
  const hint = 'The payments provider’s reference for the payment that returned it.';
  return (
    <FieldFrame id={id} label="Payment reference" hint={hint} error={error}>
      <TextInput
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        isInvalid={error !== undefined}
        aria-describedby={describedBy(id, hint, error)}
        aria-required
      />
    </FieldFrame>
  );
}
