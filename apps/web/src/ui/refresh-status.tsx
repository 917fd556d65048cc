/** How fresh the clients' figures are, and reading them again: live while HMRC is being asked, with what failed and why. */
import { AGENT_TAXES, type AgentTax } from '@portal/domain/uk-tax/tax.ts';
import { syncApi, type Refreshing } from '@portal/contract/sync.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { apiQuery, apiRequest } from '../lib/api.ts';
import { formatClientCount } from '../lib/client-labels.ts';
import { errorText } from '../lib/error-text.ts';
import { TAX_NAMES } from '../lib/tax-names.ts';
import { useHmrcMissing } from '../lib/use-hmrc-missing.ts';
import { useLiveSync } from '../lib/use-live-sync.ts';
import { ConnectHmrcFirst } from './connect-hmrc-first.tsx';
import { HiddenText } from './hidden-text.tsx';
import { Icon } from './icons.tsx';
import { Notice } from './notice.tsx';
import { Ages, Failures, Meanwhile, Progress } from './refresh-parts.tsx';
import { LineSkeleton } from './skeletons.tsx';

type RefreshStatusProps = {
  companyId: string;
  /** Cancelling a refresh of everybody is the admin's, and so is connecting HMRC. */
  isAdmin: boolean;
  /** One tax's alone, where the screen is about one. */
  taxes?: readonly AgentTax[];
};

export function RefreshStatus({ companyId, isAdmin, taxes = AGENT_TAXES }: RefreshStatusProps) {
  const { isLive, refreshing } = useLiveSync(companyId);
  const missing = useHmrcMissing(companyId);
  const reasonId = useId();
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
        <OneTax
          key={tax}
          companyId={companyId}
          tax={tax}
          refreshing={refreshing[tax]}
          isAdmin={isAdmin}
          whyNot={missing === undefined ? undefined : reasonId}
        />
      ))}
      {missing !== undefined && (
        // Once for all taxes; hidden where there is no tax of which it would be said.
        <Box sx={{ p: 1.5, gridColumn: '1 / -1', bgcolor: 'background.paper', '&:first-child': { display: 'none' } }}>
          <ConnectHmrcFirst id={reasonId} companyId={companyId} missing={missing} mayConnect={isAdmin} />
        </Box>
      )}
    </Box>
  );
}

type OneTaxProps = {
  companyId: string;
  tax: AgentTax;
  refreshing: Refreshing | undefined;
  isAdmin: boolean;
  /** Where it stands why HMRC cannot be asked, by its id. */
  whyNot: string | undefined;
};

function OneTax({ companyId, tax, refreshing, isAdmin, whyNot }: OneTaxProps) {
  const of = { company_id: companyId, tax_type: tax };
  // An address without company_id names the company half a second later; asked before, the server would answer for a badly formed one.
  const isNamed = companyId !== '';
  const data = useQuery({ ...apiQuery(syncApi.syncData, of), enabled: isNamed });
  const client = useQueryClient();
  const [showsFailures, setShowsFailures] = useState(false);
  const ended = useEndedRun(refreshing);
  const act = useMutation({
    mutationFn: async (which: 'start' | 'retry' | 'cancel') => {
      await apiRequest(syncApi[which], of);
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
          {isRefreshing && refreshing ? (
            <Progress refreshing={refreshing} tax={tax} />
          ) : (
            <>
              <Box component="span" sx={{ fontWeight: 600 }}>
                {TAX_NAMES[tax]}
              </Box>
              : <Ages data={data.data} />
            </>
          )}
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
            disabled={act.isPending || whyNot !== undefined}
            aria-describedby={whyNot}
            onClick={() => act.mutate('start')}
          >
            Refresh<HiddenText> {TAX_NAMES[tax]} from HMRC</HiddenText>
          </Button>
        )}
      </Box>
      {isRefreshing && <Meanwhile tax={tax} data={data.data} />}
      {showsFailures && failed > 0 && (
        <Failures
          companyId={companyId}
          failures={failures}
          retry={isRefreshing ? undefined : () => act.mutate('retry')}
          isBusy={act.isPending}
          whyNot={whyNot}
        />
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
    `${formatClientCount(counts.done)} read`,
    counts.failed > 0 ? `${counts.failed.toLocaleString('en-GB')} not read` : '',
    waiting > 0 ? `${waiting.toLocaleString('en-GB')} not asked about` : '',
  ].filter((part) => part !== '');
  const how = state === 'cancelled' ? 'Stopped' : state === 'failed' ? 'Broken off' : 'Finished';
  // Whoever stopped it knows why; the words are those of one client that was not asked about.
  return `${how}: ${parts.join(', ')}.${reason === null || state === 'cancelled' ? '' : ` ${reason.sentence} ${reason.next}`}`;
}
