/** Asks what each column of a file contains. Recognised columns are preselected, and the rest show sample values. */
import { clientImportsApi, type ClientImport, type ImportTable } from '@portal/contract/client-imports.ts';
import type { ImportTarget } from '@portal/domain/client-imports/import-columns.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ChoiceList, describeSamples, getColumnTitle } from '../../components/table-import/choice-list.tsx';
import { TablePickers } from '../../components/table-import/table-pickers.tsx';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';
import { formatColumnTargets, TARGET_OPTIONS } from './column-labels.ts';
import { SubmitButton } from '../../ui/submit-button.tsx';

type MapColumnsProps = {
  readonly companyId: string;
  readonly importId: string;
  readonly table: ImportTable;
  /** Undefined until the columns have been mapped, because the rows can't be read before that. */
  readonly cancel: (() => void) | undefined;
  readonly onSave: () => void;
  readonly onMapped: () => void;
};

type MapInput = { readonly sheet: number; readonly header_line: number; readonly columns?: (ImportTarget | null)[] };

export function MapColumns({ companyId, importId, table, cancel, onSave, onMapped }: MapColumnsProps) {
  const queryClient = useQueryClient();
  const map = useMutation({
    mutationFn: (input: MapInput) => apiRequest(clientImportsApi.map, { company_id: companyId, import_id: importId, ...input }),
    onSuccess: async (_response, { columns }) => {
      await queryClient.invalidateQueries();
      if (columns !== undefined) onMapped();
    },
  });
  return (
    <Stack gap={8}>
      {map.error && (
        <Notice tone="error" title="We couldn’t use these columns" role="alert">
          {getErrorText(map.error)}
        </Notice>
      )}
      <TablePickers
        table={table}
        isBusy={map.isPending}
        noHeaderText="None: the first row is a client"
        choose={(input) => map.mutate(input)}
      />
      {/* The key resets the form, because another sheet or header row has different columns. */}
      <ColumnForm
        key={`${table.sheet} ${table.header_line}`}
        table={table}
        isBusy={map.isPending}
        cancel={cancel}
        save={(columns) => {
          onSave();
          map.mutate({ sheet: table.sheet, header_line: table.header_line, columns });
        }}
      />
    </Stack>
  );
}

type ColumnFormProps = {
  readonly table: ImportTable;
  readonly isBusy: boolean;
  readonly cancel: (() => void) | undefined;
  readonly save: (columns: (ImportTarget | null)[]) => void;
};

function ColumnForm({ table: { columns }, isBusy, cancel, save }: ColumnFormProps) {
  const [targets, setTargets] = useState(() => columns.map(({ target }) => target));
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
        <Text>{formatColumnTargets(targets)}</Text>
        <ChoiceList
          label="Columns of the file"
          choices={columns.map(({ heading, samples }, index) => ({
            name: getColumnTitle(heading, index),
            details: describeSamples(samples),
            value: targets[index] ?? null,
          }))}
          options={TARGET_OPTIONS}
          noneText="Don’t import"
          choose={(index, chosenTarget) => setTargets(targets.map((target, other) => (other === index ? chosenTarget : target)))}
        />
        <ButtonRow>
          <SubmitButton
            missing={hasName ? undefined : 'Choose which column contains the client’s name.'}
            isBusy={isBusy}
            otherActions={
              cancel !== undefined && (
                <Button variant="text" onClick={cancel} disabled={isBusy}>
                  Back to the preview
                </Button>
              )
            }
          >
            {isBusy ? 'Checking…' : 'Continue'}
          </SubmitButton>
        </ButtonRow>
        <Text size="small" tone="quiet">
          We’ll remember your choices for your next file. If two columns contain the same detail, we use the first one that isn’t empty.
        </Text>
      </Stack>
    </form>
  );
}

/** Returns the table whose columns the user is mapping (always before the first preview, then only on request), or null. */
export function getMappableTable(current: ClientImport, isRequested: boolean): ImportTable | null {
  return current.state === 'mapping' || isRequested ? current.table : null;
}
