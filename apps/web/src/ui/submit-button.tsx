import { useId, type ReactNode } from 'react';
import { Button, type NativeButtonProps } from './button.tsx';
import { MissingLine } from './missing-line.tsx';

type SubmitButtonProps = Omit<NativeButtonProps, 'disabled' | 'aria-describedby'> & {
  /** What prevents the form from being submitted, such as "Enter a reason." Undefined if nothing does. */
  missing: ReactNode;
  /** Secondary actions, between the button and the text about what is missing. */
  otherActions?: ReactNode;
};

/** A form's submit button. While something is missing, the button is disabled, and a line beside it says what is missing. */
export function SubmitButton({ missing, otherActions, children, ...button }: SubmitButtonProps) {
  const id = useId();
  return (
    <>
      <Button type="submit" {...button} disabled={missing !== undefined} aria-describedby={id}>
        {children}
      </Button>
      {otherActions}
      <MissingLine id={id}>{button.isBusy === true ? undefined : toSentence(missing)}</MissingLine>
    </>
  );
}

/** Messages of schemas also stand beside fields, where they have no full stop. */
const toSentence = (missing: ReactNode): ReactNode => (typeof missing === 'string' && /[^.?!…]$/u.test(missing) ? `${missing}.` : missing);

/** Returns what prevents the form from being submitted: the first of `problems`, or that nothing has changed. */
export function getMissingText(problems: readonly (string | undefined)[], isChanged = true): string | undefined {
  return problems.find((problem) => problem !== undefined) ?? (isChanged ? undefined : 'You haven’t changed anything yet.');
}
