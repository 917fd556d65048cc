/** A dialog with the form of a client, new or existing. Input is saved as a draft in this tab until it is submitted or discarded. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState, type ReactNode } from 'react';
import { ApiError } from '../lib/api.ts';
import { errorText } from '../lib/error-text.ts';
import { deleteDraft, saveDraft, readDraft, type Draft } from '../lib/form-draft.ts';
import { ClientFields, problemsOf, type ClientTexts } from './client-fields.tsx';
import { KeptDraft } from './form-panel.tsx';
import { ModalDialog } from './modal-dialog.tsx';
import { Notice } from './notice.tsx';

/** `start`: the initial values. The draft is compared with them. */
export function useClientForm(draftName: string, start: ClientTexts) {
  const [draft] = useState<Draft>({ name: draftName, fields: Object.keys(start) });
  const [saved] = useState(start);
  const [kept] = useState(() => readDraft(draft, start));
  const [texts, setTexts] = useState<ClientTexts>({ ...start, ...kept });
  const [isKept, setIsKept] = useState(Object.keys(kept).length > 0);
  return {
    texts,
    /** Discards the restored draft. Undefined if no draft was restored. */
    startAgain: isKept
      ? (): void => {
          deleteDraft(draft);
          setTexts(saved);
          setIsKept(false);
        }
      : undefined,
    setTexts: (next: ClientTexts): void => {
      saveDraft(draft, next, saved);
      setTexts(next);
    },
    forget: (): void => deleteDraft(draft),
  };
}

type ClientFormDialogProps = {
  heading: string;
  form: ReturnType<typeof useClientForm>;
  save: { readonly error: unknown; readonly isPending: boolean; readonly mutate: () => void; readonly reset: () => void };
  words: { readonly save: string; readonly leave: string; readonly refused: string };
  /** Disables saving, for example while nothing has changed. */
  cannotSave?: boolean;
  /** The owner of the dialog shows this error itself. */
  isToldAbove?: boolean;
  above?: ReactNode;
  onClose: () => void;
};

export function ClientFormDialog(props: ClientFormDialogProps) {
  const { heading, form, save, words, cannotSave = false, isToldAbove = false, above, onClose } = props;
  const { texts } = form;
  const [showsAll, setShowsAll] = useState(false);
  const refused = save.error instanceof ApiError && !isToldAbove ? save.error.fieldErrors : {};
  const isNamed = Object.keys(refused).some((name) => name in texts);
  const close = (): void => {
    form.forget();
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
            {words.leave}
          </Button>
          <Button type="submit" form="client-form" disabled={save.isPending || cannotSave || texts.name.trim() === ''}>
            {words.save}
          </Button>
        </>
      }
    >
      <Box
        component="form"
        id="client-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setShowsAll(true);
          if (Object.keys(problemsOf(texts)).length === 0) save.mutate();
        }}
        sx={{ pt: 1, maxWidth: 560 }}
      >
        {form.startAgain && <KeptDraft forget={form.startAgain} />}
        {above}
        {save.error !== null && !isNamed && !isToldAbove && (
          <Box sx={{ mb: 2 }}>
            <Notice tone="error" title={words.refused} role="alert">
              {errorText(save.error)}
            </Notice>
          </Box>
        )}
        <ClientFields
          texts={texts}
          onChange={(next) => {
            if (save.error !== null) save.reset();
            form.setTexts(next);
          }}
          refused={refused}
          showsAll={showsAll}
        />
      </Box>
    </ModalDialog>
  );
}
