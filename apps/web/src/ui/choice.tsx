/**
 * Checkboxes and radio buttons: native inputs in the brand's colour, which work in every browser, with the keyboard and with screen
 * readers.
 */
import clsx from 'clsx';
import { useEffect, useRef, type InputHTMLAttributes, type ReactNode, type Ref } from 'react';
import styles from './choice.module.css';

type ChoiceProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'children'> & {
  label: ReactNode;
  /** Shown below the label. */
  hint?: ReactNode;
  ref?: Ref<HTMLInputElement> | undefined;
};

function Choice({ type, label, hint, className, ...props }: ChoiceProps & { type: 'checkbox' | 'radio' }) {
  return (
    <label className={clsx(styles.choice, className)}>
      <input {...props} type={type} className={styles.input} />
      <span>
        {label}
        {hint !== undefined && <span className={styles.hint}>{hint}</span>}
      </span>
    </label>
  );
}

/** A checkbox with its label. */
export function Checkbox(props: ChoiceProps) {
  return <Choice {...props} type="checkbox" />;
}

/** One option of a group. The options share a `name`, inside a fieldset or radiogroup labelled with the question. */
export function Radio(props: ChoiceProps) {
  return <Choice {...props} type="radio" />;
}

type BareCheckboxProps = {
  /** The accessible name, for example "Select Oak Ltd". */
  label: string;
  checked: boolean;
  /** Whether some but not all of the rows are selected. */
  isMixed?: boolean;
  onChange: () => void;
};

/** A checkbox without a visible label, for table rows. */
export function BareCheckbox({ label, checked, isMixed = false, onChange }: BareCheckboxProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current !== null) input.current.indeterminate = isMixed;
  }, [isMixed]);
  return (
    <input
      ref={input}
      type="checkbox"
      aria-label={label}
      checked={checked}
      onChange={onChange}
      className={clsx(styles.input, styles.dense)}
    />
  );
}
