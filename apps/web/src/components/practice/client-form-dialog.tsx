/** A dialog with the form for a client, new or existing. Input is kept as a draft in this tab until it is submitted or discarded. */
import { useState, type ReactNode } from 'react';
import { ApiError } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { deleteDraft, saveDraft, readDraft, type FormDraft } from '../../lib/form-draft.ts';
import { Button } from '../../ui/button.tsx';
import { ClientFields, findProblems, type ClientTexts } from './client-fields.tsx';
import styles from './client-form-dialog.module.css';
import { DraftNotice } from '../../ui/form-panel.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';

/** `start`: the initial values, which the draft is compared with. */
export function useClientForm(draftName: string, start: ClientTexts) {
  const [draft] = useState<FormDraft>({ name: draftName, fields: Object.keys(start) });
  const [initial] = useState(start);
  const [draftValues] = useState(() => readDraft(draft, start));
  const [texts, setTexts] = useState<ClientTexts>({ ...start, ...draftValues });
  const [hasRestoredDraft, setHasRestoredDraft] = useState(Object.keys(draftValues).length > 0);
  return {
    texts,
    /** Discards the restored draft. Undefined if no draft was restored. */
    discardDraft: hasRestoredDraft
      ? (): void => {
          deleteDraft(draft);
          setTexts(initial);
          setHasRestoredDraft(false);
        }
      : undefined,
    setTexts: (next: ClientTexts): void => {
      saveDraft(draft, next, initial);
      setTexts(next);
    },
    deleteDraft: (): void => deleteDraft(draft),
  };
}

type ClientFormDialogProps = {
  heading: string;
  form: ReturnType<typeof useClientForm>;
  save: { readonly error: unknown; readonly isPending: boolean; readonly mutate: () => void; readonly reset: () => void };
  labels: { readonly save: string; readonly cancel: string; readonly rejected: string };
  /** True if there is anything to save. */
  isChanged?: boolean;
  /** Set if the code that opened the dialog shows this error itself. */
  isErrorShownAbove?: boolean;
  above?: ReactNode;
  onClose: () => void;
};

export function ClientFormDialog(props: ClientFormDialogProps) {
  const { heading, form, save, labels, isChanged = true, isErrorShownAbove = false, above, onClose } = props;
  const { texts } = form;
  const problems = findProblems(texts);
  const missing = getMissingText(
    [texts.name.trim() === '' ? 'Enter the client’s name.' : problems.name, ...Object.values(problems)],
    isChanged,
  );
  const rejectedFields = save.error instanceof ApiError && !isErrorShownAbove ? save.error.fieldErrors : {};
  const hasFieldError = Object.keys(rejectedFields).some((name) => name in texts);
  const close = (): void => {
    form.deleteDraft();
    onClose();
  };
  return (
    <ModalDialog
      open
      heading={heading}
      onClose={close}
      loading={save.isPending}
      actions={
        <>
          <Button variant="outlined" onClick={close}>
            {labels.cancel}
          </Button>
          <SubmitButton form="client-form" missing={missing} isBusy={save.isPending}>
            {labels.save}
          </SubmitButton>
        </>
      }
    >
      <form
        id="client-form"
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (missing === undefined) save.mutate();
        }}
      >
        {form.discardDraft && <DraftNotice discard={form.discardDraft} />}
        {above}
        {save.error !== null && !hasFieldError && !isErrorShownAbove && (
          <div className={styles.notice}>
            <Notice tone="error" title={labels.rejected} role="alert">
              {getErrorText(save.error)}
            </Notice>
          </div>
        )}
        <ClientFields
          texts={texts}
          onChange={(next) => {
            if (save.error !== null) save.reset();
            form.setTexts(next);
          }}
          serverErrors={rejectedFields}
        />
      </form>
    </ModalDialog>
  );
}
