/** Asks what the columns and values of a books file mean. Recognised meanings are preselected, and the choices are remembered. */
import type { booksApi, BooksTableOutput, BooksUpload, PendingBooks } from '@portal/contract/books.ts';
import type { EndpointInput } from '@portal/contract/endpoint.ts';
import { listMissingColumns } from '@portal/domain/books/books-mapping.ts';
import { BOOKS_KINDS } from '@portal/domain/books/books-row.ts';
import { useMutation } from '@tanstack/react-query';
import { useId, useState, type ReactNode } from 'react';
import { ChoiceList, describeSamples, getColumnTitle } from '../table-import/choice-list.tsx';
import { TablePickers } from '../table-import/table-pickers.tsx';
import { ApiError, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { Select } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { getBooksApi, type BooksTarget } from './books-api.ts';
import { getTargetLabel, KIND_OPTIONS, TARGET_OPTIONS, TREATMENT_OPTIONS } from './books-labels.ts';
import { RejectedFile } from './rejected-file.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';

type MapBooksProps = { target: BooksTarget; pending: PendingBooks; onDone: (upload: BooksUpload) => void; discardButton: ReactNode };
type MapInput = Omit<EndpointInput<typeof booksApi.map>, 'company_id' | 'upload_id'>;

export function MapBooks({ target, pending, onDone, discardButton }: MapBooksProps) {
  const { table, file_name: fileName, upload_id: uploadId } = pending;
  const map = useMutation({
    mutationFn: (input: MapInput) => apiRequest(getBooksApi(target).map, { ...target, upload_id: uploadId, ...input }),
    onSuccess: onDone,
  });
  return (
    <Stack gap={16}>
      <Stack gap={4}>
        <Heading level={2} size="part">
          What do the columns of {fileName} mean?
        </Heading>
        <Text tone="quiet">We ask once and remember your answers for your next file.</Text>
      </Stack>
      {map.error && (
        <RejectedFile
          refusal={{
            status: 'refused',
            fileName,
            reason: getErrorText(map.error),
            details: map.error instanceof ApiError ? map.error.details : undefined,
          }}
        />
      )}
      <TablePickers
        table={table}
        isBusy={map.isPending}
        noHeaderText="None: the first row is a transaction"
        choose={(choice) => map.mutate(choice)}
      />
      {/* The key resets the form, because another sheet, header or answer changes the columns and values. */}
      <MeaningForm
        key={`${table.sheet} ${table.header_line} ${table.kinds.length} ${table.treatments.length}`}
        table={table}
        isBusy={map.isPending}
        save={(input) => map.mutate(input)}
        discardButton={discardButton}
      />
    </Stack>
  );
}

type MeaningFormProps = { table: BooksTableOutput; isBusy: boolean; save: (input: MapInput) => void; discardButton: ReactNode };

function MeaningForm({ table, isBusy, save, discardButton }: MeaningFormProps) {
  const [targets, setTargets] = useState(() => table.columns.map(({ target }) => target));
  const [fixedKind, setFixedKind] = useState(table.fixed_kind);
  const [fixedTreatment, setFixedTreatment] = useState(table.fixed_treatment);
  const [kinds, setKinds] = useState(table.kinds);
  const [treatments, setTreatments] = useState(table.treatments);
  const missingColumns = listMissingColumns(targets, { fixedKind, fixedTreatment });
  // The values are from the columns chosen when the file was last read.
  const needsKinds = table.columns.some(({ target }, index) => target === 'kind' && targets[index] === 'kind') && table.kinds.length > 0;
  const needsTreatments =
    table.columns.some(({ target }, index) => target === 'treatment' && targets[index] === 'treatment') && table.treatments.length > 0;
  const problem = describeProblem(missingColumns, [...(needsKinds ? kinds : []), ...(needsTreatments ? treatments : [])]);
  const submit = () => {
    if (problem !== undefined) return;
    save({
      sheet: table.sheet,
      header_line: table.header_line,
      columns: targets,
      fixed_kind: targets.includes('kind') ? null : fixedKind,
      fixed_treatment: targets.includes('treatment') ? null : fixedTreatment,
      kinds: needsKinds ? kinds : [],
      treatments: needsTreatments ? treatments : [],
    });
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap={16}>
        <ChoiceList
          label="Columns of the file"
          choices={table.columns.map(({ heading, samples }, index) => ({
            name: getColumnTitle(heading, index),
            details: describeSamples(samples),
            value: targets[index] ?? null,
          }))}
          options={TARGET_OPTIONS}
          noneText="Don’t use"
          choose={(index, chosen) => setTargets(replaceAt(targets, index, chosen))}
        />
        {!targets.includes('kind') && (
          <FixedChoice
            label="No column shows whether a row is a sale or a purchase. What are the rows?"
            value={fixedKind}
            options={KIND_OPTIONS.filter(({ value }) => (BOOKS_KINDS as readonly string[]).includes(value))}
            choose={(value) => setFixedKind(BOOKS_KINDS.find((kind) => kind === value) ?? null)}
          />
        )}
        {!targets.includes('treatment') && (
          <FixedChoice
            label="No column shows the VAT treatment. Which treatment applies to every row?"
            value={fixedTreatment}
            options={TREATMENT_OPTIONS}
            choose={(value) => setFixedTreatment(TREATMENT_OPTIONS.find((option) => option.value === value)?.value ?? null)}
          />
        )}
        {needsKinds && (
          <ChoiceList
            label="Sale or purchase"
            choices={kinds.map(({ text, meaning }) => ({ name: `“${text}” is`, value: meaning }))}
            options={KIND_OPTIONS}
            noneText="Choose"
            choose={(index, meaning) => setKinds(kinds.map((kind, other) => (other === index ? { ...kind, meaning } : kind)))}
          />
        )}
        {needsTreatments && (
          <ChoiceList
            label="VAT treatment"
            choices={treatments.map(({ text, meaning }) => ({ name: `“${text}” is`, value: meaning }))}
            options={TREATMENT_OPTIONS}
            noneText="Choose"
            choose={(index, meaning) => setTreatments(treatments.map((entry, other) => (other === index ? { ...entry, meaning } : entry)))}
          />
        )}
        <ButtonRow>
          <SubmitButton missing={problem} isBusy={isBusy} otherActions={discardButton}>
            {isBusy ? 'Reading the file' : 'Continue'}
          </SubmitButton>
        </ButtonRow>
      </Stack>
    </form>
  );
}

type FixedChoiceProps = {
  label: string;
  value: string | null;
  options: readonly { readonly value: string; readonly label: string }[];
  choose: (value: string) => void;
};

function FixedChoice({ label, value, options, choose }: FixedChoiceProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint="We ask this for each file.">
      <Select id={id} value={value ?? ''} aria-describedby={`${id}-hint`} onChange={({ target }) => choose(target.value)}>
        <option value="">Choose</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </Select>
    </FieldFrame>
  );
}

function describeProblem(
  missing: ReturnType<typeof listMissingColumns>,
  values: readonly { readonly text: string; readonly meaning: string | null }[],
): string | undefined {
  if (missing.length > 0) {
    const names = missing.map((target) => getTargetLabel(target).toLowerCase().replace('vat', 'VAT')).join(', ');
    return `Choose which columns contain: ${names}. Two of net, VAT and gross amount are enough.`;
  }
  const unansweredValues = values.filter(({ meaning }) => meaning === null);
  return unansweredValues.length === 0
    ? undefined
    : `Choose what ${new Intl.ListFormat('en-GB').format(unansweredValues.map(({ text }) => `“${text}”`))} ${unansweredValues.length === 1 ? 'means' : 'mean'}.`;
}

function replaceAt<Value>(values: readonly Value[], index: number, value: Value): Value[] {
  return values.map((current, other) => (other === index ? value : current));
}
