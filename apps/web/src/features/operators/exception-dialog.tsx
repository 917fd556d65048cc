/** One reconciliation exception: what happened, the notes, and the action that resolves it, with a preview of its figures. */
import { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import { formatPounds, type Pence } from '@portal/domain/money.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Radio } from '../../ui/choice.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { MoneyInput } from '../../components/formats/money-input.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import { FieldFrame, getDescribedBy } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { AllocationFields } from './allocation-fields.tsx';
import styles from './exception-dialog.module.css';
import {
  describeException,
  findMatchProblem,
  suggestAmounts,
  toAllocations,
  type Amounts,
  type ReconciliationException,
} from './exception-labels.ts';
import { BUTTON_LABELS, listChoices, type Choice } from './exception-choices.ts';
import { getReasonError, ReasonField } from './reason-field.tsx';
import { REQUEST_SENT, useReconciliationAction } from './use-reconciliation-action.ts';
import { getMissingText } from '../../ui/submit-button.tsx';

/** Open while `exception` is set. */
export function ExceptionDialog({ exception, onClose }: { exception: ReconciliationException | undefined; onClose: () => void }) {
  return exception ? <OpenDialog key={exception.subject_id} exception={exception} onClose={onClose} /> : null;
}

type ExceptionEntry = {
  readonly reason: string;
  readonly reference: string;
  /** The part of a credit that was returned. */
  readonly returnedPence: Pence | undefined;
  readonly noteId: string;
  readonly amounts: Amounts;
};

function sendResolution(
  exception: ReconciliationException,
  choice: Choice,
  { reason, reference, returnedPence, noteId, amounts }: ExceptionEntry,
): Promise<unknown> {
  const { company_id, subject_id, amount_pence } = exception;
  const credit = { company_id, credit_id: subject_id, reason };
  switch (choice) {
    case 'note':
      return apiRequest(reconciliationExceptionsApi.note, { company_id, subject_id, note_id: noteId, text: reason });
    case 'return':
      return apiRequest(reconciliationExceptionsApi.recordReturn, {
        ...credit,
        return_reference: reference,
        ...(exception.kind === 'credit' ? { amount_pence: returnedPence } : {}),
      });
    case 'pay':
      return apiRequest(reconciliationExceptionsApi.paySurplus, { company_id, amount_pence, reason });
    case 'allocate':
      return apiRequest(reconciliationExceptionsApi.allocate, { ...credit, allocations: toAllocations(amounts) });
    case 'own_money':
    case 'sent_back':
    case 'payout_return':
      return apiRequest(reconciliationExceptionsApi.resolveAccountCredit, { subject_id, as: choice, reason });
    case 'to_us':
    case 'credit_return':
    case 'to_trader':
    case 'lost':
      return apiRequest(reconciliationExceptionsApi.resolveCollectionPayout, { company_id, subject_id, as: choice, reason });
    default:
      return apiRequest(reconciliationExceptionsApi.resolvePayout, { company_id, subject_id, as: choice, reason });
  }
}

function OpenDialog({ exception, onClose }: { exception: ReconciliationException; onClose: () => void }) {
  const [choice, setChoice] = useState<Choice>('note');
  const [reason, setReason] = useState('');
  const [reference, setReference] = useState('');
  const [returnedPence, setReturnedPence] = useState<Pence | undefined>(exception.amount_pence);
  // The suggested amounts apply until the operator types some.
  const [enteredAmounts, setEnteredAmounts] = useState<Amounts>();
  const [noteId] = useState(() => crypto.randomUUID());
  const query = useQuery({
    ...apiQuery(reconciliationExceptionsApi.credits, { company_id: exception.company_id }),
    enabled: exception.kind === 'credit',
  });
  const credit = query.data?.credits.find(({ credit_id }) => credit_id === exception.subject_id);
  const targets = query.data?.targets.filter(({ outstanding_pence }) => outstanding_pence > 0) ?? [];
  const amounts = enteredAmounts ?? (credit ? suggestAmounts(credit, targets) : {});
  const reasonError = getReasonError(reason, choice === 'note' ? 'note' : 'reason');
  const referenceError =
    choice === 'return' && reference.trim().length < 3 ? 'Enter the payment’s reference (at least 3 characters).' : undefined;
  const amountsError =
    choice !== 'allocate' ? undefined : credit === undefined ? 'Loading the payment…' : findMatchProblem(credit, targets, amounts);
  const returnAmountError =
    choice === 'return' && exception.kind === 'credit' ? findReturnAmountProblem(exception, returnedPence) : undefined;
  const entry = { reason: reason.trim(), reference: reference.trim(), returnedPence, noteId, amounts };
  const save = useReconciliationAction(
    () => sendResolution(exception, choice, entry),
    choice === 'note' ? 'Note saved' : REQUEST_SENT,
    onClose,
  );
  return (
    <ConfirmDialog
      heading={exception.company_name}
      mutation={save}
      onConfirm={() => save.mutate()}
      onClose={onClose}
      confirmLabel={BUTTON_LABELS[choice]}
      missing={getMissingText([amountsError, returnAmountError, referenceError, reasonError])}
      errorTitle="Not saved"
      wide
    >
      <Text>{describeException(exception)}</Text>
      {exception.kind === 'failed_refund' && <TextLink to={getPageLink('adminBilling', { view: 'refunds' })}>Open refunds</TextLink>}
      {exception.awaits_approval && (
        <Notice tone="info" title="Waiting for a second person">
          There’s already an open request for this. It’s listed under “Requests awaiting a second person”.
        </Notice>
      )}
      <ExceptionNotes exception={exception} />
      <Choices exception={exception} chosen={choice} choose={setChoice} />
      {choice === 'allocate' && (
        <LoadState query={query}>
          {() => (credit ? <AllocationFields credit={credit} targets={targets} amounts={amounts} onChange={setEnteredAmounts} /> : null)}
        </LoadState>
      )}
      <div>
        {choice === 'return' && exception.kind === 'credit' && (
          <MoneyInput
            id="returned-amount"
            label="Amount returned"
            value={returnedPence}
            onChange={setReturnedPence}
            {...(returnedPence !== undefined && returnAmountError !== undefined ? { error: returnAmountError } : {})}
          />
        )}
        {choice === 'return' && <ReferenceField value={reference} onChange={setReference} />}
        <ReasonField
          id="exception-reason"
          label={choice === 'note' ? 'Note' : 'Reason'}
          hint={choice === 'note' ? 'Saved with your name.' : 'Saved with your name. Someone else must approve the request.'}
          value={reason}
          onChange={setReason}
          error={reasonError}
        />
      </div>
    </ConfirmDialog>
  );
}

function findReturnAmountProblem(
  { amount_pence: unmatchedAmount }: ReconciliationException,
  returnedAmount: Pence | undefined,
): string | undefined {
  if (returnedAmount === undefined || returnedAmount === 0) return 'Enter the amount that was returned.';
  return returnedAmount > unmatchedAmount ? `Only ${formatPounds(unmatchedAmount)} is unmatched.` : undefined;
}

function ExceptionNotes({ exception }: { exception: ReconciliationException }) {
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

type ChoicesProps = { exception: ReconciliationException; chosen: Choice; choose: (choice: Choice) => void };

/** Nothing more can be done with this money: it has to be explained. */
const HAS_LEFT: readonly ReconciliationException['kind'][] = ['unrecorded_payout', 'collection_payout'];

function Choices({ exception, chosen, choose }: ChoicesProps) {
  const choices = listChoices(exception);
  if (choices.length === 0) return null;
  return (
    <div>
      <Text id="exception-choices" weight="medium">
        {HAS_LEFT.includes(exception.kind) ? 'What was this payment?' : 'What should happen with this money?'}
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

function ReferenceField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const id = 'return-reference';
  const hint = 'The payments provider’s reference for the return payment.';
  return (
    <FieldFrame id={id} label="Payment reference" hint={hint}>
      <TextInput
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-describedby={getDescribedBy(id, hint, undefined)}
        aria-required
      />
    </FieldFrame>
  );
}
