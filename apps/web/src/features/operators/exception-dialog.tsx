/** One reconciliation exception: what happened, the notes, and the action that resolves it, with its figures shown first. */
import { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { operatorsApi } from '@portal/contract/operators.ts';
import { apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { withIdempotencyKey } from '../../lib/idempotency-key.ts';
import { InstantText } from '../../ui/date-text.tsx';
import { describedBy, FieldFrame } from '../../ui/form-field.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';
import { describeCandidate, describeMatch, describeException, type ReconciliationException } from './exception-labels.ts';
import { getReasonError, ReasonField } from './reason-field.tsx';

/** Open while an exception is given. */
export function ExceptionDialog({ exception, onClose }: { exception: ReconciliationException | undefined; onClose: () => void }) {
  return exception ? <OpenDialog key={exception.subject_id} exception={exception} onClose={onClose} /> : null;
}

type ExceptionAction = 'note' | 'return' | { readonly match: string };

const SAVED: Readonly<Record<'match' | 'return' | 'note', string>> = {
  match: 'The credit is matched.',
  return: 'It is written down that the money went back.',
  note: 'The note is kept.',
};

const BUTTONS: typeof SAVED = { match: 'Match this credit', return: 'Write down the return', note: 'Keep the note' };

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
  const [asked, setAsked] = useState(false);
  const queries = useQueryClient();
  const toast = useToast();
  const kind = chosen === 'note' || chosen === 'return' ? chosen : 'match';
  const act: ExceptionAction = kind === 'match' ? { match: chosen } : kind;
  const missingReason = getReasonError(reason);
  const missingReference = kind === 'return' && reference.trim().length < 3 ? 'Give the bank’s reference of the payment' : undefined;
  const save = useMutation({
    mutationFn: () => send(exception, act, noteId, reason.trim(), reference.trim()),
    onSuccess: () => {
      toast('success', SAVED[kind]);
      onClose();
    },
    onSettled: () =>
      Promise.all(
        [reconciliationExceptionsApi.list.path, operatorsApi.queues.path].map((path) => queries.invalidateQueries({ queryKey: [path] })),
      ),
  });
  const press = () => {
    setAsked(true);
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
          <Button onClick={press} loading={save.isPending}>
            {BUTTONS[kind]}
          </Button>
        </>
      }
    >
      <Typography sx={{ mb: 2 }}>{describeException(exception)}</Typography>
      <Notes exception={exception} />
      {exception.kind === 'credit' ? <Choices exception={exception} chosen={chosen} choose={setChosen} /> : null}
      {kind === 'return' ? <ReferenceField value={reference} onChange={setReference} error={asked ? missingReference : undefined} /> : null}
      <ReasonField
        id="matter-reason"
        label={kind === 'note' ? 'Note' : 'Reason'}
        hint={kind === 'note' ? 'It is kept with your name.' : 'It is kept with your name. This cannot be taken back.'}
        value={reason}
        onChange={setReason}
        error={asked ? missingReason : undefined}
      />
      {save.error ? (
        <Notice tone="error" title="Nothing was changed" role="alert">
          {errorText(save.error)}
        </Notice>
      ) : null}
    </ModalDialog>
  );
}

function Notes({ exception }: { exception: ReconciliationException }) {
  if (exception.notes.length === 0) return null;
  return (
    <Box component="ul" aria-label="Notes" sx={{ listStyle: 'none', m: 0, mb: 3, p: 0 }}>
      {exception.notes.map((note) => (
        <Box component="li" key={`${note.at}${note.text}`} sx={{ py: 1, borderTop: 1, borderColor: 'divider' }}>
          <Typography sx={{ overflowWrap: 'anywhere' }}>{note.text}</Typography>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {note.by}, <InstantText at={note.at} />
          </Typography>
        </Box>
      ))}
    </Box>
  );
}

function Choices({ exception, chosen, choose }: { exception: ReconciliationException; chosen: string; choose: (value: string) => void }) {
  const choices = [
    ...exception.candidates.map((candidate) => ({
      value: candidate.advance_id,
      title: describeCandidate(candidate),
      text: describeMatch(candidate),
    })),
    {
      value: 'return',
      title: 'It went back to its sender',
      text: 'Send it at the payments provider first: this writes it down and pays nothing.',
    },
    { value: 'note', title: 'Only a note for now', text: 'The matter stays open.' },
  ];
  return (
    <Box sx={{ mb: 3 }}>
      <Typography id="matter-choices" sx={{ fontWeight: 500, mb: 0.5 }}>
        What is this money?
      </Typography>
      <RadioGroup aria-labelledby="matter-choices" value={chosen} onChange={(event) => choose(event.target.value)}>
        {choices.map(({ value, title, text }) => (
          <FormControlLabel
            key={value}
            value={value}
            control={<Radio />}
            sx={{ alignItems: 'flex-start', py: 0.5 }}
            label={
              <Box sx={{ pt: 1 }}>
                {title}
                <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                  {text}
                </Typography>
              </Box>
            }
          />
        ))}
      </RadioGroup>
    </Box>
  );
}

type ReferenceFieldProps = { value: string; onChange: (value: string) => void; error: string | undefined };

function ReferenceField({ value, onChange, error }: ReferenceFieldProps) {
  const id = 'return-reference';
  const hint = 'As the payments provider names the payment that sent it back.';
  return (
    <FieldFrame id={id} label="Reference of the payment" hint={hint} error={error}>
      <OutlinedInput
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        fullWidth
        error={error !== undefined}
        slotProps={{ input: { 'aria-describedby': describedBy(id, hint, error), 'aria-required': true } }}
      />
    </FieldFrame>
  );
}
