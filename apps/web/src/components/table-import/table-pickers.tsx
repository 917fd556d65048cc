import { useId } from 'react';
import { FieldFrame } from '../../ui/form-field.tsx';
import { Select } from '../../ui/input.tsx';
import styles from './choice-list.module.css';

/** The contents of a file for the user to choose from. */
type PickedTable = {
  readonly sheet: number;
  readonly sheets: readonly { readonly sheet: number; readonly name: string }[];
  readonly header_line: number;
  readonly first_lines: readonly { readonly line: number; readonly text: string }[];
};

type TablePickersProps = {
  readonly table: PickedTable;
  readonly isBusy: boolean;
  /** The option for a file without headings: “None: the first row is a client”. */
  readonly noHeaderText: string;
  readonly choose: (choice: { readonly sheet: number; readonly header_line: number }) => void;
};

/** Lets the user choose the sheet, if there are several, and the row with the column names. */
export function TablePickers({ table, isBusy, noHeaderText, choose }: TablePickersProps) {
  const id = useId();
  const { sheets, sheet, header_line: headerLine, first_lines: lines } = table;
  return (
    <div className={styles.pickers}>
      {sheets.length > 1 && (
        <FieldFrame id={`${id}-sheet`} label="Sheet">
          <Select
            id={`${id}-sheet`}
            value={sheet}
            disabled={isBusy}
            onChange={({ target }) => choose({ sheet: Number(target.value), header_line: 1 })}
          >
            {sheets.map(({ sheet: index, name }) => (
              <option key={index} value={index}>
                {name}
              </option>
            ))}
          </Select>
        </FieldFrame>
      )}
      <FieldFrame id={`${id}-header`} label="Row with the column names">
        <Select
          id={`${id}-header`}
          value={headerLine}
          disabled={isBusy}
          onChange={({ target }) => choose({ sheet, header_line: Number(target.value) })}
        >
          {lines.map(({ line, text }) => (
            <option key={line} value={line}>
              {`Row ${line}: ${text}`}
            </option>
          ))}
          <option value={0}>{noHeaderText}</option>
        </Select>
      </FieldFrame>
    </div>
  );
}
