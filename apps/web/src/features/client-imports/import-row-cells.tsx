/** The cells of one row of an import. */
import type { StatusChoices } from '@portal/domain/client-imports/client-status-text.ts';
import type { ImportOutcome } from '@portal/domain/client-imports/import-states.ts';
import type { ClientImportRow } from '@portal/contract/client-imports.ts';
import { pageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { fieldText, FILTER_LABELS, matchText, referencesText, statusText } from './import-labels.ts';
import styles from './import-rows.module.css';

type RowActions = { readonly settle: (row: ClientImportRow) => void; readonly correct: (row: ClientImportRow) => void };

type ImportRowCellsProps = {
  readonly companyId: string;
  readonly statusChoices: StatusChoices;
  readonly row: ClientImportRow;
  /** Undefined while no row can be changed. */
  readonly actions: RowActions | undefined;
};

export function ImportRowCells({ companyId, statusChoices, row, actions }: ImportRowCellsProps) {
  const isUnfixed = (row.outcome === 'new' || row.outcome === 'matched') && row.undone === null && row.problems.length > 0;
  const labels = FILTER_LABELS[isUnfixed ? 'needs_fixing' : row.outcome];
  const outcome = doneLabel(row) ?? FILTER_LABELS[row.outcome].chip;
  const name = row.said['name'] ?? '(no name)';
  const references = referencesText(row.said);
  const archives = row.outcome === 'new' && row.undone === null && (row.file_status === 'archived' || row.file_status === 'prospect');
  const aboutStatus = statusText(row, statusChoices);
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
        {row.matched_by.length > 0 && <div className={styles.quiet}>{matchText(row.matched_by)}</div>}
      </div>
      <div role="cell" className={styles.belowName}>
        <StateChip
          label={[outcome, ...(archives ? ['archived'] : []), ...(isUnfixed ? ['needs fixing'] : [])].join(', ')}
          icon={labels.icon}
          tone={labels.tone}
        />
      </div>
      <div role="cell" className={styles.belowName}>
        <Problems row={row} />
        {aboutStatus !== undefined && <div>{aboutStatus}</div>}
        {hasImported && row.problems.length > 0 && (
          <TextLink to={pageLink('clientDashboard', { company_id: companyId, client_id: row.client_id ?? '' })}>Open {name}</TextLink>
        )}
        {actions && (
          <div className={styles.actions}>
            {canResolve(row) && (
              <Button
                size="small"
                variant="outlined"
                onClick={() => actions.settle(row)}
                aria-label={`${row.outcome === 'ambiguous' ? 'Choose' : 'Change'} for row ${row.row}, ${name}`}
              >
                {row.outcome === 'ambiguous' ? 'Choose' : 'Change'}
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

/** The row is ambiguous, or it is resolved but not applied yet. */
function canResolve(row: ClientImportRow): boolean {
  return row.outcome === 'ambiguous' || (row.candidates.length > 0 && !row.applied && row.outcome !== 'duplicate');
}

const DONE: Readonly<Partial<Record<ImportOutcome, string>>> = { new: 'Added', matched: 'Updated' };
const UNDONE = { removed: 'Removed', restored: 'Restored', kept: 'Kept' } as const;

function doneLabel({ outcome, applied, undone }: ClientImportRow): string | undefined {
  if (undone !== null) return UNDONE[undone];
  return applied ? DONE[outcome] : undefined;
}

function Problems({ row }: { row: ClientImportRow }) {
  if (row.problems.length === 0) return null;
  return (
    <ul className={styles.problems}>
      {row.problems.map(({ field, problem }) => (
        <li key={`${field} ${problem}`}>
          <strong>{fieldText(field)}</strong>
          {row.outcome !== 'duplicate' && row.outcome !== 'ambiguous' && row.said[field] !== undefined && (
            <> “{row.said[field].slice(0, 60)}”</>
          )}
          : {problem}
        </li>
      ))}
    </ul>
  );
}
