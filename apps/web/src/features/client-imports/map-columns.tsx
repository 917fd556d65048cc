/** Asks what each column of a file holds. Recognised columns are preselected, and samples show what is in the others. */
import { clientImportsApi, type ClientImport, type ImportTable } from '@portal/contract/client-imports.ts';
import type { ImportTarget } from '@portal/domain/client-imports/import-columns.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { Select } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';
import { columnsText, columnTitle, TARGET_OPTIONS } from './column-labels.ts';
import styles from './map-columns.module.css';

type MapColumnsProps = {
  readonly companyId: string;
  readonly importId: string;
  readonly table: ImportTable;
  /** Undefined while the rows wait for the columns. */
  readonly cancel: (() => void) | undefined;
  readonly onMapped: () => void;
};

type MapInput = { readonly sheet: number; readonly header_line: number; readonly columns?: (ImportTarget | null)[] };

export function MapColumns({ companyId, importId, table, cancel, onMapped }: MapColumnsProps) {
  const queries = useQueryClient();
  const map = useMutation({
    mutationFn: (input: MapInput) => apiRequest(clientImportsApi.map, { company_id: companyId, import_id: importId, ...input }),
    onSuccess: async (_answer, { columns }) => {
      await queries.invalidateQueries();
      if (columns !== undefined) onMapped();
    },
  });
  return (
    <Stack gap={8}>
      {map.error && (
        <Notice tone="error" title="We couldn’t use these columns" role="alert">
          {errorText(map.error)}
        </Notice>
      )}
      <TablePickers table={table} isBusy={map.isPending} choose={(input) => map.mutate(input)} />
      {/* Another sheet or header has other columns. */}
      <ColumnForm
        key={`${table.sheet} ${table.header_line}`}
        table={table}
        isBusy={map.isPending}
        cancel={cancel}
        save={(columns) => map.mutate({ sheet: table.sheet, header_line: table.header_line, columns })}
      />
    </Stack>
  );
}

type TablePickersProps = { readonly table: ImportTable; readonly isBusy: boolean; readonly choose: (input: MapInput) => void };

/** The sheet, if there are several, and the line with the column names. */
function TablePickers({ table, isBusy, choose }: TablePickersProps) {
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
          <option value={0}>None: the first row is a client</option>
        </Select>
      </FieldFrame>
    </div>
  );
}

type ColumnFormProps = {
  readonly table: ImportTable;
  readonly isBusy: boolean;
  readonly cancel: (() => void) | undefined;
  readonly save: (columns: (ImportTarget | null)[]) => void;
};

function ColumnForm({ table: { columns }, isBusy, cancel, save }: ColumnFormProps) {
  const id = useId();
  const [targets, setTargets] = useState(() => columns.map(({ target }) => target));
  const choose = (index: number, value: string) => {
    const chosen = TARGET_OPTIONS.find((option) => option.value === value)?.value ?? null;
    setTargets(targets.map((target, other) => (other === index ? chosen : target)));
  };
  const hasName = targets.includes('name') || targets.includes('last_name');
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (hasName) save([...targets]);
      }}
    >
      <Stack gap={16}>
        <Text>{columnsText(targets)}</Text>
        <ul className={styles.columns} aria-label="Columns of the file">
          {columns.map(({ heading, samples }, index) => (
            // A file's columns never move.
            <li key={`${index} ${heading}`} className={styles.column}>
              <div className={styles.source}>
                <label htmlFor={`${id}-${index}`}>
                  <strong>{columnTitle(heading, index)}</strong>
                </label>
                <Text size="small" tone="quiet">
                  {samples.length === 0 ? 'Empty' : samples.join(' · ')}
                </Text>
              </div>
              <Select id={`${id}-${index}`} value={targets[index] ?? ''} onChange={({ target }) => choose(index, target.value)}>
                <option value="">Don’t import</option>
                {TARGET_OPTIONS.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </Select>
            </li>
          ))}
        </ul>
        {!hasName && (
          <Text tone="error" role="status">
            Choose which column holds the client’s name.
          </Text>
        )}
        <ButtonRow>
          <Button type="submit" disabled={!hasName || isBusy}>
            {isBusy ? 'Checking…' : 'Continue'}
          </Button>
          {cancel !== undefined && (
            <Button variant="text" onClick={cancel} disabled={isBusy}>
              Back to the preview
            </Button>
          )}
        </ButtonRow>
        <Text size="small" tone="quiet">
          We remember your choices for your next file. If two columns hold the same detail, we use the first that isn’t empty.
        </Text>
      </Stack>
    </form>
  );
}

/** Whether a person is choosing the columns: always before the first preview, and afterwards when they ask for it. */
export function getMappableTable(current: ClientImport, isAsked: boolean): ImportTable | null {
  return current.state === 'mapping' || isAsked ? current.table : null;
}
