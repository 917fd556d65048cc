/** The cells of one row of an import. */
import type { StatusChoices } from '@portal/domain/client-imports/client-status-text.ts';
import type { ImportOutcome } from '@portal/domain/client-imports/import-states.ts';
import type { ClientImportRow } from '@portal/contract/client-imports.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { describeFileStatus, describeMatch, FILTER_LABELS, formatReferences, getFieldLabel } from './import-labels.ts';
import styles from './import-rows.module.css';

type RowAction = (row: ClientImportRow) => void;
type RowActions = { readonly resolve: RowAction; readonly correct: RowAction; readonly setVatGroup: RowAction };

type ImportRowCellsProps = {
  readonly companyId: string;
  readonly statusChoices: StatusChoices;
  readonly row: ClientImportRow;
  /** Undefined while rows can't be changed. */
  readonly actions: RowActions | undefined;
};

export function ImportRowCells({ companyId, statusChoices, row, actions }: ImportRowCellsProps) {
  const needsFixing = (row.outcome === 'new' || row.outcome === 'matched') && row.undone === null && row.problems.length > 0;
  const labels = FILTER_LABELS[needsFixing ? 'needs_fixing' : row.outcome];
  const outcome = getDoneLabel(row) ?? FILTER_LABELS[row.outcome].chip;
  const name = row.said['name'] ?? '(no name)';
  const references = formatReferences(row.said);
  const isArchivedByFile =
    row.outcome === 'new' && row.undone === null && (row.file_status === 'archived' || row.file_status === 'prospect');
  const statusText = describeFileStatus(row, statusChoices);
  const isOther = row.client_name !== null && row.client_name !== name;
  const hasImported = row.applied && row.undone === null && row.client_id !== null;
  return (
    <>
      <div role="cell" className={styles.quiet}>
        {row.row}
      </div>
      <div role="cell" className={styles.client}>
        <strong>{name}</strong>
        {references !== '' && <div className={styles.quiet}>{references}</div>}
        {isOther && <div className={styles.quiet}>Existing client: {row.client_name}</div>}
        {row.matched_by.length > 0 && <div className={styles.quiet}>{describeMatch(row.matched_by)}</div>}
      </div>
      <div role="cell" className={styles.belowName}>
        <StateChip
          label={[outcome, ...(isArchivedByFile ? ['archived'] : []), ...(needsFixing ? ['needs fixing'] : [])].join(', ')}
          icon={labels.icon}
          tone={labels.tone}
        />
      </div>
      <div role="cell" className={styles.belowName}>
        <RowProblems row={row} />
        {statusText !== undefined && <div>{statusText}</div>}
        {hasImported && row.problems.length > 0 && (
          <TextLink to={getPageLink('clientDashboard', { company_id: companyId, client_id: row.client_id ?? '' })}>Open {name}</TextLink>
        )}
        {actions && (
          <div className={styles.actions}>
            {canResolve(row) && (
              <Button
                size="small"
                variant="outlined"
                onClick={() => actions.resolve(row)}
                aria-label={`${row.outcome === 'ambiguous' ? 'Choose' : 'Change'} for row ${row.row}, ${name}`}
              >
                {row.outcome === 'ambiguous' ? 'Choose' : 'Change'}
              </Button>
            )}
            {row.shares_vrn_with !== null && (
              <Button
                size="small"
                variant="outlined"
                onClick={() => actions.setVatGroup(row)}
                aria-label={`Set VAT group of row ${row.row}, ${name}`}
              >
                Set VAT group
              </Button>
            )}
            {canCorrect(row) && (
              <Button size="small" variant="outlined" onClick={() => actions.correct(row)} aria-label={`Correct row ${row.row}, ${name}`}>
                Correct
              </Button>
            )}
          </div>
        )}
      </div>
    </>
  );
}

function canCorrect({ applied, undone, problems }: ClientImportRow): boolean {
  return !applied && undone === null && problems.length > 0;
}

/** Returns whether the row is ambiguous, or has been resolved but not applied yet. */
function canResolve(row: ClientImportRow): boolean {
  return row.outcome === 'ambiguous' || (row.candidates.length > 0 && !row.applied && row.outcome !== 'duplicate');
}

const DONE_LABELS: Readonly<Partial<Record<ImportOutcome, string>>> = { new: 'Added', matched: 'Updated' };
const UNDONE_LABELS = { removed: 'Removed', restored: 'Restored', kept: 'Kept' } as const;

function getDoneLabel({ outcome, applied, undone }: ClientImportRow): string | undefined {
  if (undone !== null) return UNDONE_LABELS[undone];
  return applied ? DONE_LABELS[outcome] : undefined;
}

function RowProblems({ row }: { row: ClientImportRow }) {
  if (row.problems.length === 0) return null;
  return (
    <ul className={styles.problems}>
      {row.problems.map(({ field, problem }) => (
        <li key={`${field} ${problem}`}>
          <strong>{getFieldLabel(field)}</strong>
          {row.outcome !== 'duplicate' && row.outcome !== 'ambiguous' && row.said[field] !== undefined && (
            <> “{row.said[field].slice(0, 60)}”</>
          )}
          : {problem}
        </li>
      ))}
    </ul>
  );
}
