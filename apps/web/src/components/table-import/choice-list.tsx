import { useId } from 'react';
import { Select } from '../../ui/input.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './choice-list.module.css';

type Option<Value extends string> = { readonly value: Value; readonly label: string };
type Choice<Value extends string> = {
  /** What the choice is about: a heading, or a value from the file. */
  readonly name: string;
  /** Shown below the name: what the column contains. */
  readonly details?: string;
  readonly value: Value | null;
};

type ChoiceListProps<Value extends string> = {
  readonly label: string;
  readonly choices: readonly Choice<Value>[];
  readonly options: readonly Option<Value>[];
  /** The text for the empty choice. */
  readonly noneText: string;
  readonly choose: (index: number, value: Value | null) => void;
};

/** A list of a file's headings or values, with a choice of meanings for each. */
export function ChoiceList<Value extends string>({ label, choices, options, noneText, choose }: ChoiceListProps<Value>) {
  const id = useId();
  return (
    <ul className={styles.columns} aria-label={label}>
      {choices.map(({ name, details, value }, index) => (
        // The index can be part of the key, because the order of a file's columns and values never changes.
        <li key={`${index} ${name}`} className={styles.column}>
          <div className={styles.source}>
            <label htmlFor={`${id}-${index}`}>
              <strong>{name}</strong>
            </label>
            {details !== undefined && (
              <Text size="small" tone="quiet">
                {details}
              </Text>
            )}
          </div>
          <Select
            id={`${id}-${index}`}
            value={value ?? ''}
            onChange={({ target }) => choose(index, options.find((option) => option.value === target.value)?.value ?? null)}
          >
            <option value="">{noneText}</option>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </Select>
        </li>
      ))}
    </ul>
  );
}

/** Returns the heading, or the spreadsheet letter for a column without one. */
export function getColumnTitle(heading: string, index: number): string {
  if (heading !== '') return heading;
  const letter = String.fromCharCode(65 + (index % 26));
  return `Column ${index < 26 ? letter : `${String.fromCharCode(64 + Math.floor(index / 26))}${letter}`}`;
}

/** Describes a column's contents using its first values. */
export function describeSamples(samples: readonly string[]): string {
  return samples.length === 0 ? 'Empty' : samples.join(' · ');
}
