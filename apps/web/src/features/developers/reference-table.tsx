import { RecordTable } from '../../ui/record-table.tsx';

type ReferenceTableProps = {
  label: string;
  columns: readonly [term: string, meaning: string];
  rows: readonly (readonly [term: string, meaning: string])[];
  /** The terms are names that software uses. */
  isCode?: boolean;
};

export function ReferenceTable({ label, columns: [term, meaning], rows, isCode = false }: ReferenceTableProps) {
  return (
    <RecordTable
      label={label}
      rows={rows}
      getKey={([name]) => name}
      columns={[
        { title: term, cell: ([name]) => (isCode ? <code>{name}</code> : name) },
        { title: meaning, cell: ([, text]) => text },
      ]}
    />
  );
}
