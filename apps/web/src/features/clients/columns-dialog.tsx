/** Lets the user choose which columns the list shows. */
import { Checkbox } from '../../ui/choice.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import type { ClientColumn } from './client-columns.tsx';
import styles from './columns-dialog.module.css';

type ColumnsDialogProps = {
  columns: readonly ClientColumn[];
  hidden: readonly string[];
  dense: boolean;
  onChange: (changes: Readonly<Record<string, string | undefined>>) => void;
  onClose: () => void;
};

export function ColumnsDialog({ columns, hidden, dense, onChange, onClose }: ColumnsDialogProps) {
  const toggle = (id: string): void => {
    const next = hidden.includes(id) ? hidden.filter((other) => other !== id) : [...hidden, id];
    onChange({ hide: next.join(',') });
  };
  return (
    <ModalDialog open heading="Columns" onClose={onClose} small>
      <fieldset className={styles.options}>
        <legend>Columns to show</legend>
        {columns.slice(1).map((column) => (
          <Checkbox key={column.id} label={column.title} checked={!hidden.includes(column.id)} onChange={() => toggle(column.id)} />
        ))}
        <Checkbox label="Compact rows" checked={dense} onChange={() => onChange({ dense: dense ? '0' : undefined })} />
      </fieldset>
    </ModalDialog>
  );
}
