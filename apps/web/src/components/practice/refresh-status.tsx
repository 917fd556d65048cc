/** Shows how old clients' figures are, with a button to refresh them, live progress, failures and their reasons. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { syncStatusEndpoints, type TaxRefreshStatus } from '@portal/contract/sync-status.ts';
import { AGENT_TAXES, type AgentTax, TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { PRELOADS_ACTION, sendRefreshAction, type RefreshAction } from '../../lib/refresh-action.ts';
import { useHmrcConnectionProblem } from '../../lib/use-hmrc-missing.ts';
import { useLiveSync } from '../../lib/use-live-sync.ts';
import { Button } from '../../ui/button.tsx';
import { AuthorisationCounts, countFiltered } from './authorisation-counts.tsx';
import { ConnectHmrcFirst } from './connect-hmrc-first.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { FigureAges, RefreshDetails, RefreshFailures, RefreshProgress } from './refresh-parts.tsx';
import { listEndedParts, RunSentence } from './run-sentence.tsx';
import styles from './refresh-status.module.css';
import { LineSkeleton } from '../../ui/skeletons.tsx';

type RefreshStatusProps = {
  companyId: string;
  /** Admins can cancel a refresh of all clients, and connect HMRC. */
  isAdmin: boolean;
  /** Limits the status to these taxes, on screens about one tax. */
  taxes?: readonly AgentTax[];
};

const toSyncQuery = (companyId: string, tax: AgentTax) => ({
  ...apiQuery(syncStatusEndpoints.syncData, { company_id: companyId, tax_type: tax }),
  // Without company_id in the URL, the company isn't known for the first half second. An earlier request would have an invalid ID.
  enabled: companyId !== '',
});

export function RefreshStatus({ companyId, isAdmin, taxes = AGENT_TAXES }: RefreshStatusProps) {
  const { isLive, refreshing } = useLiveSync(companyId);
  const hmrcProblem = useHmrcConnectionProblem(companyId);
  const reasonId = useId();
  return (
    <section aria-label="Figures from HMRC" data-live={isLive} className={styles.panel}>
      {taxes.map((tax) => (
        <TaxStatus
          key={tax}
          companyId={companyId}
          tax={tax}
          refreshing={refreshing[tax]}
          isAdmin={isAdmin}
          disabledReasonId={hmrcProblem === undefined ? undefined : reasonId}
        />
      ))}
      {hmrcProblem !== undefined && (
        // Shown only once for all taxes.
        <div className={styles.reason}>
          <ConnectHmrcFirst id={reasonId} companyId={companyId} missing={hmrcProblem} canConnect={isAdmin} />
        </div>
      )}
    </section>
  );
}

type TaxStatusProps = {
  companyId: string;
  tax: AgentTax;
  refreshing: TaxRefreshStatus | undefined;
  isAdmin: boolean;
  /** The id of the element that explains why HMRC can't be used. Undefined while connected. */
  disabledReasonId: string | undefined;
};

function TaxStatus({ companyId, tax, refreshing, isAdmin, disabledReasonId }: TaxStatusProps) {
  const data = useQuery(toSyncQuery(companyId, tax));
  const queryClient = useQueryClient();
  const [isShowingFailures, setShowsFailures] = useState(false);
  const endedRun = useEndedRun(refreshing);
  const runAction = useMutation({
    mutationFn: (action: RefreshAction) => sendRefreshAction(action, companyId, tax),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [syncStatusEndpoints.refreshingClients.path] }),
  });
  if (companyId !== '' && data.isPending) return <TaxStatusSkeleton />;
  if (!data.data || data.data.clients === 0) return null;
  const { failures } = data.data;
  const failedCount = failures.reduce((sum, failure) => sum + failure.clients, 0);
  const isRefreshing = refreshing?.is_refreshing === true;
  return (
    <div className={styles.tax}>
      <div className={styles.line}>
        <strong className={styles.name}>{TAX_NAMES[tax]}</strong>
        <div role="status" className={styles.text}>
          {isRefreshing ? (
            <RefreshProgress companyId={companyId} refreshing={refreshing} tax={tax} />
          ) : (
            <FigureAges companyId={companyId} data={data.data} />
          )}
          {!isRefreshing && <UnauthorisedClients companyId={companyId} tax={tax} counts={data.data.authorisations} />}
          {endedRun !== undefined && (
            <div className={styles.ended}>
              <RunSentence companyId={companyId} tax={tax} parts={listEndedParts(endedRun)} />
            </div>
          )}
        </div>
        {failedCount > 0 && (
          <Button
            size="small"
            variant="text"
            tone="neutral"
            fit="flush"
            aria-expanded={isShowingFailures}
            onClick={() => setShowsFailures(!isShowingFailures)}
          >
            <Icon name="warning" tone="warning" size={18} />
            {failedCount.toLocaleString('en-GB')} not updated <HiddenText>for {TAX_NAMES[tax]}: show why</HiddenText>
          </Button>
        )}
        {isRefreshing ? (
          isAdmin && (
            <Button
              size="small"
              variant="outlined"
              disabled={runAction.isPending}
              {...PRELOADS_ACTION}
              onClick={() => runAction.mutate('cancel')}
            >
              Stop <HiddenText>refreshing {TAX_NAMES[tax]}</HiddenText>
            </Button>
          )
        ) : (
          <Button
            size="small"
            variant="outlined"
            disabled={runAction.isPending || disabledReasonId !== undefined}
            aria-describedby={disabledReasonId}
            {...PRELOADS_ACTION}
            onClick={() => runAction.mutate('start')}
          >
            <Icon name="refresh" size={18} />
            Refresh <HiddenText>{TAX_NAMES[tax]} from HMRC</HiddenText>
          </Button>
        )}
      </div>
      {isRefreshing && <RefreshDetails companyId={companyId} tax={tax} data={data.data} />}
      {isShowingFailures && failedCount > 0 && (
        <RefreshFailures
          companyId={companyId}
          tax={tax}
          failures={failures}
          retry={isRefreshing ? undefined : () => runAction.mutate('retry')}
          isBusy={runAction.isPending}
          disabledReasonId={disabledReasonId}
        />
      )}
      {runAction.error !== null && (
        <div className={styles.error}>
          <Notice
            tone="error"
            title={runAction.variables === 'cancel' ? 'We couldn’t stop the refresh' : 'We couldn’t start the refresh'}
            role="alert"
          >
            {getErrorText(runAction.error)}
          </Notice>
        </div>
      )}
    </div>
  );
}

/** Clients that can't be refreshed until they authorise the practice, and clients that haven't been checked with HMRC yet. */
function UnauthorisedClients(props: {
  companyId: string;
  tax: AgentTax;
  counts: EndpointOutput<typeof syncStatusEndpoints.syncData>['authorisations'];
}) {
  if ((['missing', 'not_checked', 'pending'] as const).every((filter) => countFiltered(props.counts, filter) === 0)) return null;
  return (
    <div>
      <AuthorisationCounts {...props} />
    </div>
  );
}

function TaxStatusSkeleton() {
  return (
    <div aria-busy className={styles.tax}>
      <LineSkeleton width="60%" height={20} />
    </div>
  );
}

type Run = NonNullable<TaxRefreshStatus['run']>;

/** Returns the run that was in progress on this screen and has since ended, so that its result can be shown. */
function useEndedRun(refreshStatus: TaxRefreshStatus | undefined): Run | undefined {
  const [seenRunId, setSeenRunId] = useState<string>();
  const runningRunId = refreshStatus?.is_refreshing === true ? refreshStatus.run?.run_id : undefined;
  if (runningRunId !== undefined && runningRunId !== seenRunId) setSeenRunId(runningRunId);
  const run = refreshStatus?.run;
  return refreshStatus?.is_refreshing === false && run && run.run_id === seenRunId ? run : undefined;
}
