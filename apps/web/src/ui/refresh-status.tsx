/** How old the clients' figures are, and a button to refresh them. Shows live progress, failures and their reasons. */
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
import { FigureAges, RefreshFailures, RefreshDetails, RefreshProgress } from './refresh-parts.tsx';
import { LineSkeleton } from './skeletons.tsx';

type RefreshStatusProps = {
  companyId: string;
  /** Admins can cancel a refresh of all clients, and connect HMRC. */
  isAdmin: boolean;
  /** Limits the status to these taxes, on screens about one tax. */
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
        // Hides the border if no client has a refreshable tax.
        '&:empty': { display: 'none' },
        // Visible through the gap as a line between the taxes, side by side or stacked.
        bgcolor: 'divider',
        mb: 2,
        fontSize: '0.875rem',
      }}
    >
      {taxes.map((tax) => (
        <TaxStatus
          key={tax}
          companyId={companyId}
          tax={tax}
          refreshing={refreshing[tax]}
          isAdmin={isAdmin}
          disabledReasonId={missing === undefined ? undefined : reasonId}
        />
      ))}
      {missing !== undefined && (
        // Shown once for all taxes. Hidden if no tax is shown.
        <Box sx={{ p: 1.5, gridColumn: '1 / -1', bgcolor: 'background.paper', '&:first-child': { display: 'none' } }}>
          <ConnectHmrcFirst id={reasonId} companyId={companyId} missing={missing} canConnect={isAdmin} />
        </Box>
      )}
    </Box>
  );
}

type TaxStatusProps = {
  companyId: string;
  tax: AgentTax;
  refreshing: Refreshing | undefined;
  isAdmin: boolean;
  /** The id of the element that explains why HMRC can't be used. Undefined while connected. */
  disabledReasonId: string | undefined;
};

function TaxStatus({ companyId, tax, refreshing, isAdmin, disabledReasonId }: TaxStatusProps) {
  const target = { company_id: companyId, tax_type: tax };
  // Without company_id in the URL, the company is known only half a second later. An earlier request would have an invalid ID.
  const hasCompany = companyId !== '';
  const data = useQuery({ ...apiQuery(syncApi.syncData, target), enabled: hasCompany });
  const queryClient = useQueryClient();
  const [showsFailures, setShowsFailures] = useState(false);
  const ended = useEndedRun(refreshing);
  const runAction = useMutation({
    mutationFn: async (action: 'start' | 'retry' | 'cancel') => {
      await apiRequest(syncApi[action], target);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [syncApi.refreshingClients.path] }),
  });
  // The skeleton is as high as the content, so that the layout doesn't shift.
  if (hasCompany && data.isPending) return <TaxStatusSkeleton />;
  if (!data.data || data.data.clients === 0) return null;
  const { failures } = data.data;
  const failed = failures.reduce((sum, failure) => sum + failure.clients, 0);
  const isRefreshing = refreshing?.is_refreshing === true;
  return (
    <Box sx={{ p: 1.5, bgcolor: 'background.paper', '&:only-child': { gridColumn: '1 / -1' } }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, rowGap: 1, alignItems: 'center' }}>
        <Box role="status" sx={{ flex: '1 1 260px', minWidth: 0 }}>
          {isRefreshing && refreshing ? (
            <RefreshProgress refreshing={refreshing} tax={tax} />
          ) : (
            <>
              <Box component="span" sx={{ fontWeight: 600 }}>
                {TAX_NAMES[tax]}
              </Box>
              : <FigureAges data={data.data} />
            </>
          )}
          {ended !== undefined && <Box sx={{ mt: 0.5, fontWeight: 500 }}>{describeEndedRun(ended)}</Box>}
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
            <Button size="small" variant="outlined" disabled={runAction.isPending} onClick={() => runAction.mutate('cancel')}>
              Stop<HiddenText> refreshing {TAX_NAMES[tax]}</HiddenText>
            </Button>
          )
        ) : (
          <Button
            size="small"
            variant="outlined"
            startIcon={<Icon name="refresh" />}
            disabled={runAction.isPending || disabledReasonId !== undefined}
            aria-describedby={disabledReasonId}
            onClick={() => runAction.mutate('start')}
          >
            Refresh<HiddenText> {TAX_NAMES[tax]} from HMRC</HiddenText>
          </Button>
        )}
      </Box>
      {isRefreshing && <RefreshDetails tax={tax} data={data.data} />}
      {showsFailures && failed > 0 && (
        <RefreshFailures
          companyId={companyId}
          failures={failures}
          retry={isRefreshing ? undefined : () => runAction.mutate('retry')}
          isBusy={runAction.isPending}
          disabledReasonId={disabledReasonId}
        />
      )}
      {runAction.error !== null && (
        <Box sx={{ mt: 1 }}>
          <Notice tone="error" title={runAction.variables === 'cancel' ? 'It was not stopped' : 'It was not read'} role="alert">
            {errorText(runAction.error)}
          </Notice>
        </Box>
      )}
    </Box>
  );
}

function TaxStatusSkeleton() {
  return (
    <Box aria-busy sx={{ p: 1.5, minHeight: { xs: 94, sm: 60 }, bgcolor: 'background.paper', display: 'grid', alignItems: 'center' }}>
      <LineSkeleton width="60%" height={20} />
    </Box>
  );
}

type Run = NonNullable<Refreshing['run']>;

/** The run that this screen has seen in progress and that has ended since, so that its result can be shown. */
function useEndedRun(refreshing: Refreshing | undefined): Run | undefined {
  const [seenRunId, setSeenRunId] = useState<string>();
  const runningRunId = refreshing?.is_refreshing === true ? refreshing.run?.run_id : undefined;
  if (runningRunId !== undefined && runningRunId !== seenRunId) setSeenRunId(runningRunId);
  const run = refreshing?.run;
  return refreshing?.is_refreshing === false && run && run.run_id === seenRunId ? run : undefined;
}

/** For example "Finished: 96 clients read, 3 not read." */
export function describeEndedRun({ state, counts, reason }: Pick<Run, 'state' | 'counts' | 'reason'>): string {
  const waiting = counts.total - counts.done - counts.failed;
  const parts = [
    `${formatClientCount(counts.done)} read`,
    counts.failed > 0 ? `${counts.failed.toLocaleString('en-GB')} not read` : '',
    waiting > 0 ? `${waiting.toLocaleString('en-GB')} not asked about` : '',
  ].filter((part) => part !== '');
  const how = state === 'cancelled' ? 'Stopped' : state === 'failed' ? 'Broken off' : 'Finished';
  // The person who stopped it knows the reason. The server's sentence is about a single client.
  return `${how}: ${parts.join(', ')}.${reason === null || state === 'cancelled' ? '' : ` ${reason.sentence} ${reason.next}`}`;
}
