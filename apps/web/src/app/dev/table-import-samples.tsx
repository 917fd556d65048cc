import { useState } from 'react';
import { ChoiceList, describeSamples, getColumnTitle } from '../../components/table-import/choice-list.tsx';
import { TablePickers } from '../../components/table-import/table-pickers.tsx';
import { Sample, Samples, Section } from './section.tsx';

const SAMPLE_LINES = [
  { line: 1, text: 'Sales of Hull Lamps Ltd' },
  { line: 3, text: 'Date, Customer, Net' },
];
const OPTIONS = [
  { value: 'date', label: 'Date' },
  { value: 'net', label: 'Net amount' },
] as const;
const COLUMNS = [
  { heading: 'Date', samples: ['1 March 2026', '4 March 2026'] },
  { heading: 'Internal number', samples: ['17'] },
  { heading: '', samples: [] },
];

/** Samples of an uploaded file's contents and its column mapping. */
export function TableImportSamples() {
  const [headerLine, setHeaderLine] = useState(3);
  const [values, setValues] = useState<readonly ('date' | 'net' | null)[]>(['date', null, null]);
  const table = { sheet: 0, header_line: headerLine, first_lines: SAMPLE_LINES };
  return (
    <Section id="table-import" title="Table import" lead="Asks what an uploaded file contains, for client lists and for books.">
      <Samples minWidth={420}>
        <Sample name="Header">
          <TablePickers
            table={{ ...table, sheets: [{ sheet: 0, name: 'Sales' }] }}
            isBusy={false}
            noHeaderText="None: the first row is a client"
            choose={(choice) => setHeaderLine(choice.header_line)}
          />
        </Sample>
        <Sample name="Several sheets, busy">
          <TablePickers
            table={{
              ...table,
              sheets: [
                { sheet: 0, name: 'Sales' },
                { sheet: 1, name: 'Purchases' },
              ],
            }}
            isBusy
            noHeaderText="None: the first row is a client"
            choose={() => undefined}
          />
        </Sample>
        <Sample name="Columns: recognised, unknown, without a heading">
          <ChoiceList
            label="Columns of the sample"
            choices={COLUMNS.map(({ heading, samples }, index) => ({
              name: getColumnTitle(heading, index),
              details: describeSamples(samples),
              value: values[index] ?? null,
            }))}
            options={OPTIONS}
            noneText="Don’t use"
            choose={(index, value) => setValues(values.map((current, other) => (other === index ? value : current)))}
          />
        </Sample>
      </Samples>
    </Section>
  );
}
