import { ADJUSTMENT_REASON_LENGTH } from '@portal/domain/vat-returns/adjustment-kinds.ts';
import { useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { FieldFrame, getDescribedBy } from '../../ui/form-field.tsx';
import { TextArea } from '../../ui/input.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';

type CorrectionNoteDialogProps = {
  route: 'reported' | 'left_out';
  isBusy: boolean;
  onClose: () => void;
  onSave: (note: string) => void;
};

const TEXTS = {
  reported: {
    heading: 'Reported to HMRC',
    label: 'When and how did you report it?',
    hint: 'For example: “Online on 12 November 2026, reference XV-1234”. These rows won’t be offered again.',
    error: 'Enter when and how you reported it.',
  },
  left_out: {
    heading: 'Not an error',
    label: 'Why aren’t these rows errors?',
    hint: 'For example: “The filed return has this invoice under its old number”. These rows won’t be offered again.',
    error: 'Enter why these rows aren’t errors.',
  },
} as const;

/** Asks for the record that must be kept of rows that this return doesn't correct. */
export function CorrectionNoteDialog({ route, isBusy, onClose, onSave }: CorrectionNoteDialogProps) {
  const id = useId();
  const [note, setNote] = useState('');
  const isTooShort = note.trim().length < ADJUSTMENT_REASON_LENGTH.min;
  const { heading, label, hint, error } = TEXTS[route];
  return (
    <ModalDialog
      small
      open
      heading={heading}
      onClose={onClose}
      loading={isBusy}
      actions={
        <>
          <Button variant="outlined" onClick={onClose} disabled={isBusy}>
            Cancel
          </Button>
          <SubmitButton form={`${id}-form`} missing={isTooShort ? error : undefined} isBusy={isBusy}>
            Save
          </SubmitButton>
        </>
      }
    >
      <form
        id={`${id}-form`}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isTooShort) onSave(note.trim());
        }}
      >
        <FieldFrame id={`${id}-note`} label={label} hint={hint}>
          <TextArea
            id={`${id}-note`}
            value={note}
            maxLength={ADJUSTMENT_REASON_LENGTH.max}
            aria-describedby={getDescribedBy(`${id}-note`, hint, undefined)}
            onChange={({ target }) => setNote(target.value)}
          />
        </FieldFrame>
      </form>
    </ModalDialog>
  );
}
