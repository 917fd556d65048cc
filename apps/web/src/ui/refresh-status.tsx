/** How fresh the clients' figures are, and reading them again: live while HMRC is being asked, with what failed and why. */
import type { OutputOf } from '@portal/contract/endpoint.ts';
import { syncApi, type Refreshing } from '@portal/contract/sync.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { ask, call } from '../lib/api.ts';
import { clientLink, clientsText } from '../lib/client-words.ts';
import { errorText } from '../lib/error-text.ts';
import { TAX_NAMES } from '../lib/tax-names.ts';
import { useLiveSync, type ReadTax } from '../lib/use-live-sync.ts';
import { InstantText } from './date-text.tsx';
import { HiddenText } from './hidden-text.tsx';
import { Icon } from './icons.tsx';
import { Notice } from './notice.tsx';
import { LineSkeleton } from './skeletons.tsx';

const TAXES: readonly ReadTax[] = ['vat', 'sa'];

type RefreshStatusProps = {
  companyId: string;
  /** Cancelling a refresh of everybody is the admin's. */
  isAdmin: boolean;
  /** One tax's alone, where the screen is about one. */
  taxes?: readonly ReadTax[];
};

export function RefreshStatus({ companyId, isAdmin, taxes = TAXES }: RefreshStatusProps) {
  const { isLive, refreshing } = useLiveSync(companyId);
  return (
    <Box
      component="section"
      aria-label="Figures from HMRC"
      data-live={isLive}
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: taxes.length > 1 ? 'repeat(2, minmax(0, 1fr))' : 'minmax(0, 1fr)' },
        gap: '1px',
        overflow: 'hidden',
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        // No client has a tax that is read: nothing to say, and no line where it would stand.
        '&:empty': { display: 'none' },
        // The gap shows through as a line between the taxes, beside or below each other.
        bgcolor: 'divider',
        mb: 2,
        fontSize: '0.875rem',
      }}
    >
      {taxes.map((tax) => (
        <OneTax key={tax} companyId={companyId} tax={tax} refreshing={refreshing[tax]} isAdmin={isAdmin} />
      ))}
    </Box>
  );
}

type OneTaxProps = { companyId: string; tax: ReadTax; refreshing: Refreshing | undefined; isAdmin: boolean };

function OneTax({ companyId, tax, refreshing, isAdmin }: OneTaxProps) {
  const of = { company_id: companyId, tax_type: tax };
  // An address without company_id names the company half a second later; asked before, the server would answer for a badly formed one.
  const isNamed = companyId !== '';
  const data = useQuery({ ...ask(syncApi.syncData, of), enabled: isNamed });
  const status = useQuery({ ...ask(syncApi.connectionStatus, of), enabled: isNamed });
  const client = useQueryClient();
  const [showsFailures, setShowsFailures] = useState(false);
  const ended = useEndedRun(refreshing);
  const act = useMutation({
    mutationFn: async (which: 'start' | 'retry' | 'cancel') => {
      await call(syncApi[which], of);
    },
    onSettled: () => client.invalidateQueries({ queryKey: [syncApi.refreshingClients.path] }),
  });
  // As high as what comes, so that nothing below it jumps.
  if (isNamed && data.isPending) return <OneTaxSkeleton />;
  if (!data.data || data.data.clients === 0) return null;
  const { failures } = data.data;
  const failed = failures.reduce((sum, failure) => sum + failure.clients, 0);
  const isRefreshing = refreshing?.is_refreshing === true;
  return (
    <Box sx={{ p: 1.5, bgcolor: 'background.paper', '&:only-child': { gridColumn: '1 / -1' } }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, rowGap: 1, alignItems: 'center' }}>
        <Box role="status" sx={{ flex: '1 1 260px', minWidth: 0 }}>
          {isRefreshing && refreshing ? <Progress refreshing={refreshing} tax={tax} /> : <Ages tax={tax} data={data.data} />}
          {ended !== undefined && <Box sx={{ mt: 0.5, fontWeight: 500 }}>{endedText(ended)}</Box>}
        </Box>
        {failed > 0 && (
          <Button
            size="small"
            variant="text"
            color="warning"
            startIcon={<Icon name="warning" />}
            aria-expanded={showsFailures}
            onClick={() => setShowsFailures(!showsFailures)}
            sx={{ color: 'warning.tone' }}
          >
            {failed.toLocaleString('en-GB')} not read
            <HiddenText> for {TAX_NAMES[tax]}: show why</HiddenText>
          </Button>
        )}
        {isRefreshing ? (
          isAdmin && (
            <Button size="small" variant="outlined" disabled={act.isPending} onClick={() => act.mutate('cancel')}>
              Stop<HiddenText> refreshing {TAX_NAMES[tax]}</HiddenText>
            </Button>
          )
        ) : (
          <Button
            size="small"
            variant="outlined"
            startIcon={<Icon name="refresh" />}
            disabled={act.isPending || status.data?.can_refresh !== true}
            onClick={() => act.mutate('start')}
          >
            Refresh<HiddenText> {TAX_NAMES[tax]} from HMRC</HiddenText>
          </Button>
        )}
      </Box>
      {status.data?.can_refresh === false && (
        <Typography variant="body2" sx={{ mt: 0.5, color: 'warning.tone' }}>
          HMRC is not connected, so nothing new can be read. What you see stays, with its dates.
        </Typography>
      )}
      {showsFailures && failed > 0 && (
        <Failures companyId={companyId} failures={failures} retry={isRefreshing ? undefined : () => act.mutate('retry')} />
      )}
      {act.error !== null && (
        <Box sx={{ mt: 1 }}>
          <Notice tone="error" title={act.variables === 'cancel' ? 'It was not stopped' : 'It was not read'} role="alert">
            {errorText(act.error)}
          </Notice>
        </Box>
      )}
    </Box>
  );
}

function OneTaxSkeleton() {
  return (
    <Box aria-busy sx={{ p: 1.5, minHeight: { xs: 94, sm: 60 }, bgcolor: 'background.paper', display: 'grid', alignItems: 'center' }}>
      <LineSkeleton width="60%" height={20} />
    </Box>
  );
}

type Run = NonNullable<Refreshing['run']>;

/** The run that this screen has seen at work and that is over now: whoever waited for it is told how it ended. */
function useEndedRun(refreshing: Refreshing | undefined): Run | undefined {
  const [seen, setSeen] = useState<string>();
  const running = refreshing?.is_refreshing === true ? refreshing.run?.run_id : undefined;
  if (running !== undefined && running !== seen) setSeen(running);
  const run = refreshing?.run;
  return refreshing?.is_refreshing === false && run && run.run_id === seen ? run : undefined;
}

/** "Finished: 96 clients read, 3 not read." */
export function endedText({ state, counts, reason }: Pick<Run, 'state' | 'counts' | 'reason'>): string {
  const waiting = counts.total - counts.done - counts.failed;
  const parts = [
    `${clientsText(counts.done)} read`,
    counts.failed > 0 ? `${counts.failed.toLocaleString('en-GB')} not read` : '',
    waiting > 0 ? `${waiting.toLocaleString('en-GB')} not asked about` : '',
  ].filter((part) => part !== '');
  const how = state === 'cancelled' ? 'Stopped' : state === 'failed' ? 'Broken off' : 'Finished';
  // Whoever stopped it knows why; the words are those of one client that was not asked about.
  return `${how}: ${parts.join(', ')}.${reason === null || state === 'cancelled' ? '' : ` ${reason.sentence} ${reason.next}`}`;
}

type SyncData = OutputOf<typeof syncApi.syncData>;

function Ages({ tax, data }: { tax: ReadTax; data: SyncData }) {
  const { oldest_read_at: oldest, newest_read_at: newest, never_read: never, clients } = data;
  return (
    <>
      <Box component="span" sx={{ fontWeight: 600 }}>
        {TAX_NAMES[tax]}
      </Box>
      {newest === null || oldest === null ? (
        `: none of ${clients.toLocaleString('en-GB')} clients read yet`
      ) : (
        <>
          : read from HMRC <InstantText at={newest} />
          {oldest.slice(0, 16) !== newest.slice(0, 16) && (
            <>
              , the oldest <InstantText at={oldest} />
            </>
          )}
          {never > 0 && `; ${never.toLocaleString('en-GB')} of ${clients.toLocaleString('en-GB')} never`}
        </>
      )}
    </>
  );
}

function Progress({ refreshing, tax }: { refreshing: Refreshing; tax: ReadTax }) {
  const counts = refreshing.run?.counts;
  const ended = counts === undefined ? 0 : counts.done + counts.failed;
  const percent = counts === undefined || counts.total === 0 ? 0 : (ended / counts.total) * 100;
  return (
    <>
      <Box sx={{ mb: 0.75, fontVariantNumeric: 'tabular-nums' }}>{refreshing.sentence}</Box>
      <LinearProgress
        variant="determinate"
        value={percent}
        aria-label={`${TAX_NAMES[tax]}: how much is read`}
        aria-valuetext={`${Math.round(percent)}%`}
        sx={{ height: 6, borderRadius: 3, bgcolor: 'primary.soft', '& .MuiLinearProgress-bar': { bgcolor: 'primary.tone' } }}
      />
    </>
  );
}

type FailuresProps = { companyId: string; failures: SyncData['failures']; retry: (() => void) | undefined };

function Failures({ companyId, failures, retry }: FailuresProps) {
  return (
    <Box sx={{ mt: 1, pt: 1, borderTop: 1, borderColor: 'divider' }}>
      <Box component="ul" aria-label="Why clients were not read" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1 }}>
        {failures.map(({ code, sentence, next, clients, examples }) => (
          <li key={code}>
            <Box sx={{ fontWeight: 600 }}>
              {clients.toLocaleString('en-GB')}: {sentence}
            </Box>
            <Box sx={{ color: 'text.secondary' }}>
              {next} For example{' '}
              {examples.map(({ client_id: id, name }, place) => {
                const to = clientLink(companyId, id);
                return (
                  <span key={id}>
                    {place > 0 && ', '}
                    {to === undefined ? (
                      name
                    ) : (
                      <Link component={RouterLink} to={to}>
                        {name}
                      </Link>
                    )}
                  </span>
                );
              })}
              .
            </Box>
          </li>
        ))}
      </Box>
      {retry && (
        <Button size="small" variant="text" onClick={retry} sx={{ mt: 1 }}>
          Read these again
        </Button>
      )}
    </Box>
  );
}
