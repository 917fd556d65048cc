import type { LateRowOutput } from '@portal/contract/vat-returns.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import type { CorrectionRoute } from '@portal/domain/vat-returns/correction-routes.ts';
import { Button } from '../../ui/button.tsx';
import { BareCheckbox } from '../../ui/choice.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Table } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { TREATMENT_NAMES } from '../books/treatment-names.ts';

type LateRowTableProps = {
  label: string;
  rows: readonly LateRowOutput[];
  selected: ReadonlySet<string>;
  /** Undefined while rows can't be selected. */
  toggle: ((keys: readonly string[], isOn: boolean) => void) | undefined;
  undo: ((row: LateRowOutput) => void) | undefined;
};

const KIND_LABELS: Readonly<Record<LateRowOutput['kind'], string>> = {
  added: 'Not in the return',
  changed: 'Changed since',
  removed: 'No longer in your books',
};

/** The rows of a filed period that differ from its return, with the decision on each. */
export function LateRowTable({ label, rows, selected, toggle, undo }: LateRowTableProps) {
  const undecidedKeys = rows.filter(({ decision }) => decision === null).map(({ key }) => key);
  const count = undecidedKeys.filter((key) => selected.has(key)).length;
  return (
    <Table label={label} dense flush>
      <thead>
        <tr>
          <th scope="col">
            {toggle && undecidedKeys.length > 0 ? (
              <BareCheckbox
                label={`Select all: ${label}`}
                checked={count === undecidedKeys.length}
                isMixed={count > 0 && count < undecidedKeys.length}
                onChange={() => toggle(undecidedKeys, count < undecidedKeys.length)}
              />
            ) : (
              <HiddenText>Select</HiddenText>
            )}
          </th>
          <th scope="col">Date</th>
          <th scope="col">Document</th>
          <th scope="col">What’s different</th>
          <th scope="col" data-numeric>
            VAT
          </th>
          <th scope="col">Decision</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <LateRow
            key={`${row.key} ${row.decision?.correction_id ?? ''}`}
            row={row}
            isSelected={selected.has(row.key)}
            toggle={toggle && row.decision === null ? () => toggle([row.key], !selected.has(row.key)) : undefined}
            undo={undo && row.decision?.can_undo ? () => undo(row) : undefined}
          />
        ))}
      </tbody>
    </Table>
  );
}

type LateRowProps = { row: LateRowOutput; isSelected: boolean; toggle: (() => void) | undefined; undo: (() => void) | undefined };

function LateRow({ row, isSelected, toggle, undo }: LateRowProps) {
  const shownRow = row.now ?? row.filed;
  if (!shownRow) return null;
  const name = `${shownRow.counterparty} ${shownRow.reference}`.trim();
  return (
    <tr>
      <td>{toggle && <BareCheckbox label={`Select ${name}`} checked={isSelected} onChange={toggle} />}</td>
      <td data-nowrap>{formatDate(shownRow.date, 'short')}</td>
      <td>
        {name}
        <Text size="small" tone="quiet">
          {row.type === 'sale' ? 'Sale' : 'Purchase'}, {TREATMENT_NAMES[shownRow.treatment]}, net {formatPounds(shownRow.net_pence)}
        </Text>
      </td>
      <td>
        {KIND_LABELS[row.kind]}
        {row.kind === 'changed' && row.filed && row.now && (
          <Text size="small" tone="quiet">
            VAT was {formatPounds(row.filed.vat_pence)}, now {formatPounds(row.now.vat_pence)}
          </Text>
        )}
      </td>
      <td data-numeric>{formatDueAmount(row.due_pence)}</td>
      <td>
        {row.decision && describeDecision(row.decision)}
        {undo && (
          <Button variant="text" size="small" onClick={undo}>
            Undo
            <HiddenText> for {name}</HiddenText>
          </Button>
        )}
      </td>
    </tr>
  );
}

/** Uses words, because a sign alone doesn't show who owes whom. */
function formatDueAmount(due: number): string {
  if (due === 0) return 'None';
  return `${formatPounds(pence(Math.abs(due)))} ${due > 0 ? 'due to HMRC' : 'due to you'}`;
}

const ROUTE_LABELS: Readonly<Record<CorrectionRoute, string>> = {
  return: 'Included in the return to',
  reported: 'Reported to HMRC:',
  left_out: 'Not an error:',
};

function describeDecision({ route, note, period_end: periodEnd }: NonNullable<LateRowOutput['decision']>): string {
  return `${ROUTE_LABELS[route]} ${route === 'return' ? formatDate(periodEnd, 'short') : note}`;
}
