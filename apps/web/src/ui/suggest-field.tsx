import { Autocomplete } from '@base-ui/react/autocomplete';
import clsx from 'clsx';
import { useRef, useState, type ReactNode, type Ref } from 'react';
import { FieldFrame, getDescribedBy } from './form-field.tsx';
import { HiddenText } from './hidden-text.tsx';
import { Text } from './text.tsx';
import { getToneClass, type Tone } from './tone.ts';
import inputStyles from './input.module.css';
import styles from './suggest-field.module.css';

export type Suggestion = {
  readonly key: string;
  /** The text that fills the field when this suggestion is chosen. */
  readonly label: string;
  /** Secondary text below the label. */
  readonly detail: string;
  /** A warning shown before the suggestion is chosen, for example "Dissolved". */
  readonly mark?: { readonly label: string; readonly tone: Tone } | undefined;
};

type SuggestFieldProps = {
  id: string;
  name: string;
  label: string;
  hint?: string;
  error?: string | undefined;
  autoComplete?: string;
  ref?: Ref<HTMLInputElement>;
  value: string;
  suggestions: readonly Suggestion[];
  /** The accessible name of the list. */
  listLabel: string;
  /** Shown in the list while suggestions load. Undefined when they aren't loading. */
  loadingText?: string | undefined;
  /** Announced when suggestions appear, for example "3 companies found". */
  announcement: string;
  /** Shown below the field when nothing matches or the search is unavailable. */
  note?: ReactNode;
  onType: (text: string) => void;
  onChoose: (key: string) => void;
  onBlur: (input: HTMLInputElement) => void;
};

/** A text field with suggestions. Users can enter any text; suggestions only save typing. */
export function SuggestField(props: SuggestFieldProps) {
  const { ref, id, name, label, hint, error, autoComplete, value, suggestions, listLabel, loadingText, announcement, note } = props;
  const { onType, onChoose, onBlur } = props;
  const [isOpen, setIsOpen] = useState(false);
  const container = useRef<HTMLDivElement>(null);
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <Autocomplete.Root
        items={suggestions}
        // The search has already filtered and ranked the suggestions.
        filter={null}
        itemToStringValue={(suggestion) => suggestion.label}
        value={value}
        onValueChange={(text, { reason }) => {
          if (reason === 'input-change' || reason === 'input-clear') onType(text);
        }}
        open={isOpen && (suggestions.length > 0 || loadingText !== undefined)}
        onOpenChange={setIsOpen}
      >
        <Autocomplete.Input
          ref={ref}
          id={id}
          // While the list is open, Base UI hides the rest of the page from screen readers, including the visible label.
          aria-label={label}
          name={name}
          className={inputStyles.input}
          autoComplete={autoComplete}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={getDescribedBy(id, hint, error)}
          aria-required
          onBlur={({ currentTarget }) => onBlur(currentTarget)}
        />
        <div ref={container} />
        {/* Rendered inside the page's landmark, next to the field. */}
        <Autocomplete.Portal container={container}>
          <Autocomplete.Positioner className={styles.positioner} positionMethod="fixed" align="start" sideOffset={4} collisionPadding={16}>
            <Autocomplete.Popup className={styles.popup} aria-busy={loadingText !== undefined}>
              {suggestions.length === 0 && loadingText !== undefined && <p className={styles.loading}>{loadingText}</p>}
              <Autocomplete.List className={styles.list} aria-label={listLabel}>
                {(suggestion: Suggestion) => (
                  <Autocomplete.Item
                    key={suggestion.key}
                    value={suggestion}
                    className={styles.option}
                    onClick={() => onChoose(suggestion.key)}
                  >
                    <span className={styles.name}>
                      {suggestion.label}
                      {suggestion.mark !== undefined && (
                        <span className={clsx(styles.mark, getToneClass(suggestion.mark.tone))}>{suggestion.mark.label}</span>
                      )}
                    </span>
                    <Text as="span" size="small" tone="quiet">
                      {suggestion.detail}
                    </Text>
                  </Autocomplete.Item>
                )}
              </Autocomplete.List>
            </Autocomplete.Popup>
          </Autocomplete.Positioner>
        </Autocomplete.Portal>
      </Autocomplete.Root>
      <HiddenText role="status">{announcement}</HiddenText>
      {/* The live region must exist before its text. Otherwise some screen readers announce nothing. */}
      <Text as="div" role="status" size="small" tone="quiet" className={styles.note}>
        {note}
      </Text>
    </FieldFrame>
  );
}
