/** The status of an import and the next action. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ClientImport } from '@portal/contract/client-imports.ts';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { errorText } from '../../lib/error-text.ts';
import { InstantText } from '../../ui/date-text.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { formatClientCount, doneText, planText, undoneText } from './import-labels.ts';
import { useImportActions } from './use-import-actions.ts';

type ImportActions = ReturnType<typeof useImportActions>;

export function ImportStatus({ companyId, current }: { companyId: string; current: ClientImport }) {
  const actions = useImportActions(companyId, current);
  return (
    <Box>
      {actions.error && (
        <Box sx={{ mb: 2 }}>
          <Notice tone="error" title="This was not done" role="alert">
            {errorText(actions.error)}
          </Notice>
        </Box>
      )}
      <StatusContent companyId={companyId} current={current} actions={actions} />
    </Box>
  );
}

function StatusContent({ companyId, current, actions }: { companyId: string; current: ClientImport; actions: ImportActions }) {
  const { state } = current;
  if (state === 'ready' || state === 'checking') return <Ready current={current} actions={actions} />;
  if (state === 'importing') return <Running current={current} actions={actions} />;
  if (state === 'undone') {
    return (
      <Notice tone="info" title="The import was undone" role="status">
        {undoneText(current)}
      </Notice>
    );
  }
  return <Ended companyId={companyId} current={current} actions={actions} />;
}

function Ready({ current, actions }: { current: ClientImport; actions: ImportActions }) {
  const count = current.counts.new + current.counts.matched;
  return (
    <Notice tone="info" title="This is a dry run: nothing has been changed yet" role="status">
      <Typography>{planText(current)}</Typography>
      {current.ignored_columns.length > 0 && (
        <Typography sx={{ mt: 1, overflowWrap: 'anywhere' }}>
          Columns we do nothing with: {formatColumns(current.ignored_columns)}.
        </Typography>
      )}
      <Actions>
        {count > 0 && (
          <Button onClick={() => actions.mutate('start')} disabled={actions.isPending}>
            Import {formatClientCount(count)}
          </Button>
        )}
      </Actions>
    </Notice>
  );
}

function Running({ current, actions }: { current: ClientImport; actions: ImportActions }) {
  const { rows_done: done, rows_total: total } = current;
  const words = `Importing: ${done.toLocaleString('en-GB')} of ${total.toLocaleString('en-GB')} rows done`;
  return (
    <Box sx={{ border: 1, borderColor: 'divider', borderRadius: 1, bgcolor: 'background.paper', textAlign: 'center', pb: 2 }}>
      <ProgressBar label={words} percent={total === 0 ? 0 : (done / total) * 100} />
      <Typography variant="body2" sx={{ px: 2, color: 'text.secondary' }}>
        You can leave this page: the import goes on.
      </Typography>
      <Button variant="outlined" size="small" sx={{ mt: 2 }} onClick={() => actions.mutate('cancel')} disabled={actions.isPending}>
        Cancel the import
      </Button>
    </Box>
  );
}

const ENDED = {
  completed: { tone: 'success', title: 'The clients are in' },
  cancelled: { tone: 'warning', title: 'The import was cancelled' },
  failed: { tone: 'error', title: 'The import stopped' },
} as const;

function Ended({ companyId, current, actions }: { companyId: string; current: ClientImport; actions: ImportActions }) {
  const [isAsking, setIsAsking] = useState(false);
  const state = current.state === 'cancelled' || current.state === 'failed' ? current.state : 'completed';
  const hasApplied = current.applied.new + current.applied.matched > 0;
  const goesOn = state !== 'completed' && current.counts.new + current.counts.matched > current.applied.new + current.applied.matched;
  const close = () => setIsAsking(false);
  return (
    <>
      <Notice tone={ENDED[state].tone} title={ENDED[state].title} role="status">
        <Typography>
          {doneText(current)} {current.reason ?? ''}
        </Typography>
        {state === 'completed' && current.counts.ambiguous > 0 && (
          <Typography sx={{ mt: 1 }}>
            {current.counts.ambiguous.toLocaleString('en-GB')} unclear {current.counts.ambiguous === 1 ? 'row waits' : 'rows wait'} for your
            choice below.
          </Typography>
        )}
        {current.undo_until !== null && (
          <Typography variant="body2" sx={{ mt: 1 }}>
            You can undo it until <InstantText at={current.undo_until} />.
          </Typography>
        )}
        <Actions>
          {goesOn && (
            <Button onClick={() => actions.mutate('start')} disabled={actions.isPending}>
              Go on with the import
            </Button>
          )}
          {hasApplied && (
            <Button
              component={Link}
              to={`/v2/open-tax/clients?${new URLSearchParams({ company_id: companyId })}`}
              variant={goesOn ? 'outlined' : 'contained'}
            >
              See your clients
            </Button>
          )}
          {current.undo_until !== null && (
            <Button variant="outlined" color="error" onClick={() => setIsAsking(true)} disabled={actions.isPending}>
              Undo the import
            </Button>
          )}
        </Actions>
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
              Keep the clients
            </Button>
            <Button color="error" onClick={() => actions.mutate('undo', { onSettled: close })} disabled={actions.isPending}>
              Undo it
            </Button>
          </>
        }
      >
        <Typography>
          {formatClientCount(current.applied.new)} made by it {current.applied.new === 1 ? 'is' : 'are'} removed and what it filled in is
          emptied again. Clients with a note, an assigned colleague, figures from HMRC or a change since stay as they are.
        </Typography>
      </ModalDialog>
    </>
  );
}

function Actions({ children }: { children: ReactNode }) {
  return <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, mt: 2 }}>{children}</Box>;
}

const MAX_NAMED_COLUMNS = 20;

/** Empty columns at the end of a spreadsheet can number in the thousands, so name only the first. */
function formatColumns(columns: readonly string[]): string {
  const more = columns.length - MAX_NAMED_COLUMNS;
  return more > 0 ? `${columns.slice(0, MAX_NAMED_COLUMNS).join(', ')} and ${more.toLocaleString('en-GB')} more` : columns.join(', ');
}
