/** The status of an import and the next action. */
import type { ClientImport } from '@portal/contract/client-imports.ts';
import { AGENT_TAXES } from '@portal/domain/uk-tax/tax.ts';
import { useId, useState, type ComponentProps, type ReactNode } from 'react';
import { getErrorText } from '../../lib/error-text.ts';
import { useHmrcConnectionProblem } from '../../lib/use-hmrc-missing.ts';
import type { LiveSync } from '../../lib/use-live-sync.ts';
import { ConnectHmrcFirst } from '../../components/practice/connect-hmrc-first.tsx';
import { RunSentence } from '../../components/practice/run-sentence.tsx';
import { Button } from '../../ui/button.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Text } from '../../ui/text.tsx';
import { formatClientCount, listDoneSentences, listPlannedSentences, listRefreshParts, listUndoneSentences } from './import-labels.ts';
import { AssignmentPreview } from './assignment-preview.tsx';
import { Counts } from './counts.tsx';
import { StatusChoices } from './status-choices.tsx';
import { DownloadRejected } from './download-rejected.tsx';
import styles from './import-status.module.css';
import { useImportActions } from './use-import-actions.ts';

type ImportActions = ReturnType<typeof useImportActions>;

type ImportStatusProps = {
  readonly companyId: string;
  readonly current: ClientImport;
  readonly refreshing: LiveSync['refreshing'];
  /** The page that follows this sign-up step. Undefined outside sign-up. */
  readonly nextStep: string | undefined;
  readonly changeColumns: () => void;
  /** Moves the focus to the file picker, below the rows. */
  readonly chooseAnotherFile: () => void;
};

type StatusProps = ImportStatusProps & { readonly actions: ImportActions };

export function ImportStatus(props: ImportStatusProps) {
  const { companyId, current } = props;
  const actions = useImportActions(companyId, current);
  return (
    <Stack>
      {actions.error && (
        <Notice tone="error" title="That didn’t work" role="alert">
          {getErrorText(actions.error)}
        </Notice>
      )}
      <StatusContent {...props} actions={actions} />
    </Stack>
  );
}

function StatusContent(props: StatusProps) {
  const { current, actions } = props;
  const { state } = current;
  if (state === 'ready' || state === 'checking' || state === 'mapping') return <ReadyImport {...props} />;
  if (state === 'importing') return <RunningImport current={current} actions={actions} />;
  if (state === 'undone') {
    return (
      <Notice tone="info" title="Import undone" role="status">
        <ResultCounts current={current} sentences={listUndoneSentences(current)} none="No clients were changed." />
      </Notice>
    );
  }
  return <Ended {...props} />;
}

function ReadyImport({ companyId, current, actions, changeColumns }: StatusProps) {
  const count = current.counts.new + current.counts.matched;
  return (
    <Notice tone="info" title="Preview: nothing has changed yet" role="status">
      <Counts sentences={listPlannedSentences(current)} none="No rows can be imported." />
      <StatusChoices companyId={companyId} current={current} />
      {current.ignored_columns.length > 0 && (
        <Text className={styles.more}>Columns ignored: {formatColumns(current.ignored_columns)}.</Text>
      )}
      {current.state === 'ready' && (
        <AssignmentPreview companyId={companyId} importId={current.import_id} newClients={current.counts.new} />
      )}
      <ImportButtons>
        {count > 0 && (
          <Button onClick={() => actions.mutate('start')} disabled={actions.isPending}>
            Import {formatClientCount(count)}
          </Button>
        )}
        {current.table !== null && (
          <Button variant="outlined" onClick={changeColumns} disabled={actions.isPending}>
            Change columns
          </Button>
        )}
        <DownloadRejected companyId={companyId} current={current} />
      </ImportButtons>
    </Notice>
  );
}

/** Without its rows, users couldn't check a number, so no numbers are shown once the rows have been deleted. */
function ResultCounts({ current, ...counts }: { current: ClientImport } & ComponentProps<typeof Counts>) {
  return current.rows_removed ? (
    <Text>The rows of this file were deleted after 30 days. Its clients are in the client list.</Text>
  ) : (
    <Counts {...counts} />
  );
}

function RunningImport({ current, actions }: { current: ClientImport; actions: ImportActions }) {
  const { rows_done: doneCount, rows_total: total } = current;
  const label = `Importing: ${doneCount.toLocaleString('en-GB')} of ${total.toLocaleString('en-GB')} rows done`;
  return (
    <div className={styles.running}>
      <ProgressBar label={label} percent={total === 0 ? 0 : (doneCount / total) * 100} />
      <Text size="small" tone="quiet">
        You can leave this page. The import will continue.
      </Text>
      <Button variant="outlined" size="small" onClick={() => actions.mutate('cancel')} disabled={actions.isPending}>
        Cancel import
      </Button>
    </div>
  );
}

const ENDED = {
  completed: { tone: 'success', title: 'Import complete' },
  cancelled: { tone: 'warning', title: 'Import cancelled' },
  failed: { tone: 'error', title: 'Import stopped' },
} as const;

function Ended({ companyId, current, refreshing, nextStep, chooseAnotherFile, actions }: StatusProps) {
  const [isAsking, setIsAsking] = useState(false);
  const state = current.state === 'cancelled' || current.state === 'failed' ? current.state : 'completed';
  const hasApplied = current.applied.new + current.applied.matched > 0;
  const canContinue = state !== 'completed' && current.counts.new + current.counts.matched > current.applied.new + current.applied.matched;
  const close = () => setIsAsking(false);
  return (
    <>
      <Notice tone={ENDED[state].tone} title={ENDED[state].title} role="status">
        <ResultCounts current={current} sentences={listDoneSentences(current)} none="No clients added or updated." />
        {current.reason !== null && <Text className={styles.more}>{current.reason}</Text>}
        {hasApplied && <FirstRefresh companyId={companyId} current={current} refreshing={refreshing} />}
        {current.undo_until !== null && (
          <Text size="small" className={styles.more}>
            You can undo the import until <InstantText at={current.undo_until} />.
          </Text>
        )}
        <ImportButtons>
          {canContinue && (
            <Button onClick={() => actions.mutate('start')} disabled={actions.isPending}>
              Continue import
            </Button>
          )}
          {nextStep !== undefined && (
            <Button to={nextStep} variant={canContinue ? 'outlined' : 'filled'}>
              Continue setting up
            </Button>
          )}
          {hasApplied && (
            <Button
              to={`/v2/open-tax/clients?${new URLSearchParams({ company_id: companyId })}`}
              variant={canContinue || nextStep !== undefined ? 'outlined' : 'filled'}
            >
              View clients
            </Button>
          )}
          {hasApplied && (
            <Button variant="outlined" onClick={chooseAnotherFile}>
              Import another file
            </Button>
          )}
          <DownloadRejected companyId={companyId} current={current} />
          {current.undo_until !== null && (
            <Button variant="outlined" tone="error" onClick={() => setIsAsking(true)} disabled={actions.isPending}>
              Undo import
            </Button>
          )}
        </ImportButtons>
      </Notice>
      <ModalDialog
        small
        open={isAsking}
        heading="Undo this import?"
        onClose={close}
        loading={actions.isPending}
        actions={
          <>
            <Button variant="outlined" onClick={close} disabled={actions.isPending}>
              Keep clients
            </Button>
            <Button tone="error" onClick={() => actions.mutate('undo', { onSettled: close })} disabled={actions.isPending}>
              Undo import
            </Button>
          </>
        }
      >
        <Text>
          This removes {formatClientCount(current.applied.new)} and the details the import filled in. Clients with a note, an assigned
          colleague, figures from HMRC or later changes are kept.
        </Text>
      </ModalDialog>
    </>
  );
}

/** The refresh that starts automatically after an import, or what it needs before it can start. */
function FirstRefresh({ companyId, current, refreshing }: Pick<StatusProps, 'companyId' | 'current' | 'refreshing'>) {
  const id = useId();
  const hmrcProblem = useHmrcConnectionProblem(companyId);
  return (
    <div className={styles.more}>
      {AGENT_TAXES.map((tax) => {
        const parts = listRefreshParts(refreshing[tax], tax, current.created_at);
        return (
          parts !== undefined && (
            <Text key={tax}>
              <RunSentence companyId={companyId} tax={tax} parts={parts} />
            </Text>
          )
        );
      })}
      {hmrcProblem !== undefined && <ConnectHmrcFirst id={id} companyId={companyId} missing={hmrcProblem} canConnect />}
    </div>
  );
}

function ImportButtons({ children }: { children: ReactNode }) {
  return <Row className={styles.actions}>{children}</Row>;
}

const MAX_NAMED_COLUMNS = 20;

/** A spreadsheet can have thousands of empty columns at the end, so name only the first few. */
function formatColumns(columns: readonly string[]): string {
  const moreCount = columns.length - MAX_NAMED_COLUMNS;
  return moreCount > 0
    ? `${columns.slice(0, MAX_NAMED_COLUMNS).join(', ')} and ${moreCount.toLocaleString('en-GB')} more`
    : columns.join(', ');
}
