import { useEffect, useEffectEvent, useState } from 'react';
import { useDebouncedText } from '../lib/use-debounced-text.ts';
import { TextInput } from './input.tsx';
import { focusFirstRow } from './use-row-links.ts';
import styles from './list-search.module.css';

type ListSearchProps = { text: string; onSearch: (q: string) => void; label: string; hint: string };

/** A list's search field. `/` focuses it, and the down arrow moves from it to the first row. */
export function ListSearch({ text, onSearch, label, hint }: ListSearchProps) {
  const [inputText, setInputText] = useState(text);
  const [knownText, setKnown] = useState(text);
  const debouncedText = useDebouncedText(inputText);
  if (text !== knownText) {
    setKnown(text);
    // The text was changed elsewhere, because a view was opened or the filters were cleared.
    if (text !== debouncedText.trim()) setInputText(text);
  }
  const send = useEffectEvent((q: string) => {
    if (q !== text && debouncedText === inputText) onSearch(q);
  });
  useEffect(() => send(debouncedText.trim()), [debouncedText]);
  return (
    <div role="search" aria-label={label} className={styles.search}>
      <TextInput
        type="search"
        small
        data-desk-search=""
        value={inputText}
        onChange={(event) => setInputText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          focusFirstRow();
        }}
        placeholder={label}
        title={hint}
        aria-label={label}
        aria-keyshortcuts="/"
        maxLength={100}
      />
    </div>
  );
}
