import { useId, type ReactNode } from 'react';
import { useWatch, type FieldValues } from 'react-hook-form';
import type { ContractForm } from '../lib/contract-form.ts';
import { Button } from './button.tsx';
import { ErrorSummary } from './error-summary.tsx';
import { Notice } from './notice.tsx';
import { MissingLine } from './missing-line.tsx';
import { TextLink } from './text-link.tsx';
import styles from './form-panel.module.css';

type FormPanelProps<Values extends FieldValues> = {
  form: ContractForm<Values>;
  /** Labels of the submit button, normally and while submitting. */
  submitLabel: string;
  busyLabel: string;
  /** `outlined` where the page's main action is another one. */
  submitVariant?: 'filled' | 'outlined';
  children: ReactNode;
  /** Secondary actions, beside the submit button. */
  otherActions?: ReactNode;
};

/** A form in one column: error summary, fields, submit button and, while the button is disabled, an explanation of what is missing. */
export function FormPanel<Values extends FieldValues>(props: FormPanelProps<Values>) {
  const { form, submitLabel, busyLabel, submitVariant, children, otherActions } = props;
  const missingId = useId();
  return (
    <form noValidate onSubmit={(event) => void form.submit(event)}>
      <ErrorSummary errors={form.serverErrors} getFieldId={form.getFieldId} />
      {form.discardDraft !== undefined && <DraftNotice discard={form.discardDraft} />}
      {children}
      <div className={styles.actions}>
        <Button type="submit" variant={submitVariant} disabled={!form.canSubmit} aria-describedby={missingId} className={styles.submit}>
          {form.isSubmitting ? busyLabel : submitLabel}
        </Button>
        {otherActions}
        <MissingLine id={missingId}>
          <MissingText form={form} />
        </MissingLine>
      </div>
    </form>
  );
}

/** Explains why the form can't be submitted yet. A separate component, so that a key press doesn't rerender the whole form. */
function MissingText<Values extends FieldValues>({ form }: { form: ContractForm<Values> }) {
  const values = useWatch({ control: form.form.control }) as Values;
  return form.canSubmit || form.isSubmitting ? null : describeMissingFields(form, values);
}

function describeMissingFields<Values extends FieldValues>(form: ContractForm<Values>, values: Values): string {
  const problems = form.listProblems(values);
  if (problems.length === 0) return 'You haven’t changed anything yet.';
  const unseenProblems = problems.filter(({ field }) => form.getError(field) === undefined);
  // The remaining problems are explained beside their fields.
  if (unseenProblems.length === 0) return problems.length === 1 ? 'Correct the answer marked above.' : 'Correct the answers marked above.';
  return joinInstructions(unseenProblems.map(({ message }) => message));
}

/** Joins "Enter the sort code, for example 20-00-00" and "Email is required" into "Enter the sort code and your email." */
export function joinInstructions(messages: readonly string[]): string {
  const objects = messages.flatMap((message) => findObject(message) ?? []);
  if (objects.length < messages.length) return `${messages[0]?.replace(/\.$/, '')}.`;
  return `Enter ${new Intl.ListFormat('en-GB').format([...new Set(objects)])}.`;
}

/** Extracts what a message asks for, for example "the sort code" or "your email". */
function findObject(message: string): string | undefined {
  const requiredField = /^(\w[\w ]*) is required/u.exec(message)?.[1];
  return requiredField === undefined ? /^Enter ([^,.(]+)/u.exec(message)?.[1]?.trim() : `your ${requiredField.toLowerCase()}`;
}

/** Says that the fields show a restored, unsaved draft, and offers to discard it. */
export function DraftNotice({ discard }: { discard: () => void }) {
  return (
    <div className={styles.draft}>
      <Notice tone="info" title="We’ve filled in what you entered before" role="status">
        It isn’t saved yet. <TextLink onClick={discard}>Start again</TextLink>
      </Notice>
    </div>
  );
}
