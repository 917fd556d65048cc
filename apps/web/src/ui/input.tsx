import clsx from 'clsx';
import type { CSSProperties, InputHTMLAttributes, Ref, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react';
import styles from './input.module.css';

type InputLook = {
  /** 40 px high instead of 48. */
  small?: boolean;
  isInvalid?: boolean;
  /** A width that fits the expected text, in characters. Undefined means full width. */
  widthInCharacters?: number | undefined;
};

function toInputProps(
  { small = false, isInvalid = false, widthInCharacters }: InputLook,
  className: string | undefined,
  style: CSSProperties | undefined,
) {
  return {
    'aria-invalid': isInvalid,
    className: clsx(styles.input, small && styles.small, className),
    style: widthInCharacters === undefined ? style : { ...style, maxWidth: `calc(${widthInCharacters}ch + 44px)` },
  };
}

type NativeProps<Props> = Omit<Props, 'aria-invalid'>;

/** A text field without a label. FormField and FieldFrame add the label, hint and error. */
export function TextInput({
  small = false,
  isInvalid = false,
  widthInCharacters,
  className,
  style,
  ...props
}: InputLook & NativeProps<InputHTMLAttributes<HTMLInputElement>> & { ref?: Ref<HTMLInputElement> | undefined }) {
  return <input type="text" {...props} {...toInputProps({ small, isInvalid, widthInCharacters }, className, style)} />;
}

/** A multi-line text field without a label. */
export function TextArea({
  isInvalid = false,
  className,
  style,
  ...props
}: Pick<InputLook, 'isInvalid'> &
  NativeProps<TextareaHTMLAttributes<HTMLTextAreaElement>> & { ref?: Ref<HTMLTextAreaElement> | undefined }) {
  return <textarea rows={4} {...props} {...toInputProps({ isInvalid }, clsx(styles.area, className), style)} />;
}

/** A native select, so that phones show their own picker and the keyboard works. Its children are the options. */
export function Select({
  small = false,
  isInvalid = false,
  widthInCharacters,
  className,
  style,
  ...props
}: InputLook & NativeProps<SelectHTMLAttributes<HTMLSelectElement>> & { ref?: Ref<HTMLSelectElement> | undefined }) {
  return <select {...props} {...toInputProps({ small, isInvalid, widthInCharacters }, clsx(styles.select, className), style)} />;
}
