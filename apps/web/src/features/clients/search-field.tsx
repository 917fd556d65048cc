/** The list's search field. `/` focuses it, and the down arrow key moves from it to the first client. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useDebouncedText } from '../../lib/use-debounced-text.ts';
import { TextInput } from '../../ui/input.tsx';
import { focusFirstRow } from '../../ui/use-row-links.ts';
import styles from './list-toolbar.module.css';

export function SearchField({ text, onSearch }: { text: string; onSearch: (q: string) => void }) {
  const [inputText, setInputText] = useState(text);
  const [knownText, setKnown] = useState(text);
  // Search terms already written to the URL but not yet reflected in it, because the URL lags behind typing.
  const [sentTexts, setSent] = useState<readonly string[]>([]);
  const debouncedText = useDebouncedText(inputText);
  const input = useRef<HTMLInputElement>(null);
  if (text !== knownText) {
    const place = sentTexts.lastIndexOf(text);
    setKnown(text);
    setSent(place < 0 ? [] : sentTexts.slice(place + 1));
    // The text was changed elsewhere, for example by opening a saved view or clearing the filters.
    if (place < 0) setInputText(text);
  }
  const send = useEffectEvent((q: string) => {
    if (q === (sentTexts.at(-1) ?? text) || debouncedText !== inputText) return;
    setSent([...sentTexts, q]);
    onSearch(q);
  });
  useEffect(() => send(debouncedText.trim()), [debouncedText]);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select, [contenteditable]');
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);
  return (
    <div role="search" aria-label="Clients" className={styles.search}>
      <TextInput
        ref={input}
        type="search"
        small
        value={inputText}
        onChange={(event) => setInputText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          focusFirstRow();
        }}
        placeholder="Search clients"
        title="By name, reference, postcode, email, phone or client code"
        aria-label="Search clients"
        aria-keyshortcuts="/"
        maxLength={100}
      />
    </div>
  );
}
