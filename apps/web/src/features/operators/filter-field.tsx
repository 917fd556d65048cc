import { useEffect, useEffectEvent, useState } from 'react';
import { useDebouncedText } from '../../lib/use-debounced-text.ts';
import { TextInput } from '../../ui/input.tsx';
import styles from './filter-field.module.css';

type FilterFieldProps = {
  id: string;
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  placeholder?: string;
  type?: 'text' | 'date';
};

/** A text filter. The list updates shortly after the last keystroke. */
export function FilterField({ id, label, value = '', onChange, placeholder, type = 'text' }: FilterFieldProps) {
  const [inputText, setInputText] = useState(value);
  const [knownValue, setKnown] = useState(value);
  const debouncedText = useDebouncedText(inputText);
  if (value !== knownValue) {
    setKnown(value);
    if (value !== debouncedText.trim()) setInputText(value);
  }
  const send = useEffectEvent((text: string) => {
    if (text !== value && debouncedText === inputText) onChange(text === '' ? undefined : text);
  });
  useEffect(() => send(debouncedText.trim()), [debouncedText]);
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <TextInput
        id={id}
        small
        type={type}
        value={inputText}
        placeholder={placeholder}
        maxLength={254}
        onChange={(event) => setInputText(event.target.value)}
      />
    </div>
  );
}
