/** One filter as a chip. Uses a native select, so that phones show their own picker and the keyboard works. */
import clsx from 'clsx';
import styles from './filter-pill.module.css';

type FilterPillProps = {
  label: string;
  value: string | undefined;
  options: readonly { readonly value: string; readonly label: string }[];
  /** The label when nothing is chosen. Default: "Queue: all". */
  unsetLabel?: string;
  onSelect: (value: string | undefined) => void;
};

export function FilterPill({ label, value, options, unsetLabel = `${label}: all`, onSelect }: FilterPillProps) {
  return (
    <select
      aria-label={label}
      value={value ?? ''}
      onChange={(event) => onSelect(event.target.value === '' ? undefined : event.target.value)}
      className={clsx(styles.pill, value !== undefined && styles.set)}
    >
      <option value="">{unsetLabel}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
