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
import { clientsText, doneText, planText, undoneText } from './import-words.ts';
import { useImportActs } from './use-import-acts.ts';

type Acts = ReturnType<typeof useImportActs>;

export function ImportStatus({ companyId, current }: { companyId: string; current: ClientImport }) {
  const acts = useImportActs(companyId, current);
  return (
    <Box>
      {acts.error && (
        <Box sx={{ mb: 2 }}>
          <Notice tone="error" title="This was not done" role="alert">
            {errorText(acts.error)}
          </Notice>
        </Box>
      )}
      <Standing companyId={companyId} current={current} acts={acts} />
    </Box>
  );
}

function Standing({ companyId, current, acts }: { companyId: string; current: ClientImport; acts: Acts }) {
  const { state } = current;
  if (state === 'ready' || state === 'checking') return <Ready current={current} acts={acts} />;
  if (state === 'importing') return <Running current={current} acts={acts} />;
  if (state === 'undone') {
    return (
      <Notice tone="info" title="The import was undone" role="status">
        {undoneText(current)}
      </Notice>
    );
  }
  return <Ended companyId={companyId} current={current} acts={acts} />;
}

function Ready({ current, acts }: { current: ClientImport; acts: Acts }) {
  const count = current.counts.new + current.counts.matched;
  return (
    <Notice tone="info" title="This is a dry run: nothing has been changed yet" role="status">
      <Typography>{planText(current)}</Typography>
      {current.ignored_columns.length > 0 && (
        <Typography sx={{ mt: 1, overflowWrap: 'anywhere' }}>Columns we do nothing with: {someOf(current.ignored_columns)}.</Typography>
      )}
      <Actions>
        {count > 0 && (
          <Button onClick={() => acts.mutate('start')} disabled={acts.isPending}>
            Import {clientsText(count)}
          </Button>
        )}
      </Actions>
    </Notice>
  );
}

function Running({ current, acts }: { current: ClientImport; acts: Acts }) {
  const { rows_done: done, rows_total: total } = current;
  const words = `Importing: ${done.toLocaleString('en-GB')} of ${total.toLocaleString('en-GB')} rows done`;
  return (
    <Box sx={{ border: 1, borderColor: 'divider', borderRadius: 1, bgcolor: 'background.paper', textAlign: 'center', pb: 2 }}>
      <ProgressBar label={words} percent={total === 0 ? 0 : (done / total) * 100} />
      <Typography variant="body2" sx={{ px: 2, color: 'text.secondary' }}>
        You can leave this page: the import goes on.
      </Typography>
      <Button variant="outlined" size="small" sx={{ mt: 2 }} onClick={() => acts.mutate('cancel')} disabled={acts.isPending}>
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

function Ended({ companyId, current, acts }: { companyId: string; current: ClientImport; acts: Acts }) {
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
            <Button onClick={() => acts.mutate('start')} disabled={acts.isPending}>
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
            <Button variant="outlined" color="error" onClick={() => setIsAsking(true)} disabled={acts.isPending}>
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
        loading={acts.isPending}
        actions={
          <>
            <Button variant="outlined" onClick={close} disabled={acts.isPending}>
              Keep the clients
            </Button>
            <Button color="error" onClick={() => acts.mutate('undo', { onSettled: close })} disabled={acts.isPending}>
              Undo it
            </Button>
          </>
        }
      >
        <Typography>
          {clientsText(current.applied.new)} made by it {current.applied.new === 1 ? 'is' : 'are'} removed and what it filled in is emptied
          again. Clients with a note, an assigned colleague, figures from HMRC or a change since stay as they are.
        </Typography>
      </ModalDialog>
    </>
  );
}

function Actions({ children }: { children: ReactNode }) {
  return <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, mt: 2 }}>{children}</Box>;
}

const MOST_NAMED = 20;

/** Empty columns at the end of a spreadsheet can number in the thousands, so name only the first. */
function someOf(columns: readonly string[]): string {
  const more = columns.length - MOST_NAMED;
  return more > 0 ? `${columns.slice(0, MOST_NAMED).join(', ')} and ${more.toLocaleString('en-GB')} more` : columns.join(', ');
}
