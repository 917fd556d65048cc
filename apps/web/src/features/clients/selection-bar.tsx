/** Actions on the selected clients: those ticked, or all that match the filters. */
import { AGENT_TAXES, type AgentTax } from '@portal/domain/uk-tax/tax.ts';
import { clientsApi, type ClientSelection, EXPORT_FORMATS, type ExportFormat } from '@portal/contract/clients.ts';
import type { ClientFilters } from '@portal/contract/client-filters.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { syncApi } from '@portal/contract/sync.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useId, useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { formatClientCount } from '../../lib/client-labels.ts';
import { downloadSelectedClients } from '../../lib/download-selected-clients.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { usePermission } from '../../lib/practice-profile.ts';
import { useHmrcConnectionProblem } from '../../lib/use-hmrc-missing.ts';
import { useInvalidateClients } from '../../lib/use-invalidate-clients.ts';
import { Button } from '../../ui/button.tsx';
import { ChangeClientsDialog, type ClientChange } from '../../components/practice/change-clients-dialog.tsx';
import { ConnectHmrcFirst } from '../../components/practice/connect-hmrc-first.tsx';
import { Notice } from '../../ui/notice.tsx';
import { listEndedParts, toText } from '../../components/practice/run-sentence.tsx';
import { Text } from '../../ui/text.tsx';
import { UndoChange } from '../../components/practice/undo-change.tsx';
import { InviteButton } from './invite-button.tsx';
import styles from './selection-bar.module.css';

// Loaded on first use.
const GroupClientsDialog = lazy(() =>
  import('../../components/practice/group-clients-dialog.tsx').then((file) => ({ default: file.GroupClientsDialog })),
);
const MessageDialog = lazy(() => import('../../components/practice/message-dialog.tsx').then((file) => ({ default: file.MessageDialog })));
const RequestAuthorisationsDialog = lazy(() =>
  import('../../components/practice/request-authorisations-dialog.tsx').then((file) => ({ default: file.RequestAuthorisationsDialog })),
);

type SelectionBarProps = {
  companyId: string;
  filters: ClientFilters;
  /** The names of the loaded clients, by ID. */
  known: ReadonlyMap<string, string>;
  selected: ReadonlySet<string>;
  /** Whether all clients that match the filters are selected, not only those ticked. */
  isAll: boolean;
  /** How many clients match the filters. Undefined while counting. */
  total: number | undefined;
  onSelectAll: () => void;
  onClear: () => void;
  exportQuery: (format: ExportFormat) => URLSearchParams;
  exportHref: (format: ExportFormat) => string;
  /** Whether the user is an admin. Only admins can set the status, assign clients and connect HMRC. */
  isAdmin: boolean;
  /** Whether the user has permission to export. */
  mayExport: boolean;
};

/** The clients that were selected when a dialog was opened. */
type ChosenClients = { readonly selection: ClientSelection; readonly count: number };

export function SelectionBar(props: SelectionBarProps) {
  const { companyId, filters, known, selected, isAll, total, onSelectAll, onClear, isAdmin } = props;
  // The clients that were selected when the dialog was opened. After the change, the filters may not match any clients, but the result must
  // still be shown.
  const [pendingChange, setPendingChange] = useState<{
    readonly change: ClientChange;
    readonly selection: ClientSelection;
    readonly count: number;
  } | null>(null);
  const count = isAll ? (total ?? 0) : selected.size;
  const ids = [...selected];
  const choice: ClientSelection = isAll ? { matching: { filters, count } } : { client_ids: ids };
  const [lastChange, setLastChange] = useState<BulkChange | null>(null);
  const archive = useArchive(companyId, setLastChange);
  const refresh = useMutation({
    mutationFn: async (selectedClients: { readonly tax: AgentTax; readonly choice: ClientSelection }) =>
      apiRequest(syncApi.start, { company_id: companyId, tax_type: selectedClients.tax, ...selectedClients.choice }),
  });
  const hmrcProblem = useHmrcConnectionProblem(companyId);
  const reasonId = useId();
  const file = useMutation({ mutationFn: (format: ExportFormat) => downloadSelectedClients(props.exportQuery(format), ids) });
  const error = archive.error ?? refresh.error ?? file.error;
  const open = (clientChange: ClientChange): void => setPendingChange({ change: clientChange, selection: choice, count });
  const outcome = (
    <>
      {lastChange && <LastBulkChange companyId={companyId} made={lastChange} onDismiss={() => setLastChange(null)} />}
      {pendingChange !== null && (
        <ChangeClientsDialog
          {...pendingChange}
          companyId={companyId}
          names={known}
          onChanged={(changeId, changedCount) => setLastChange({ title: `${formatClientCount(changedCount)} changed`, changeId })}
          onClose={() => setPendingChange(null)}
        />
      )}
    </>
  );
  const [toRequest, setToRequest] = useState<ChosenClients | null>(null);
  const [toGroup, setToGroup] = useState<ChosenClients | null>(null);
  const isBusy = archive.isPending || refresh.isPending || file.isPending;
  return (
    // The outcome is above the bar at the bottom of the window; otherwise the bar would cover the undo.
    <div className={styles.area}>
      {outcome}
      {toRequest !== null && (
        <Suspense fallback={null}>
          <RequestAuthorisationsDialog {...toRequest} companyId={companyId} tax={filters.tax} onClose={() => setToRequest(null)} />
        </Suspense>
      )}
      {toGroup !== null && (
        <Suspense fallback={null}>
          <GroupClientsDialog {...toGroup} companyId={companyId} onClose={() => setToGroup(null)} />
        </Suspense>
      )}
      {count > 0 && (
        <div role="region" aria-label="Selected clients" className={styles.bar}>
          <div className={styles.actions}>
            <Text role="status" weight="bold" className={styles.count}>
              {formatSelection(count, isAll, archive.isPending)}
            </Text>
            {!isAll && total !== undefined && total > count && (
              <Button size="small" variant="text" onClick={onSelectAll}>
                Select all {total.toLocaleString('en-GB')} that match
              </Button>
            )}
            {isAdmin && (
              <>
                <Button size="small" variant="outlined" disabled={isBusy} onClick={() => open('status')}>
                  Change status
                </Button>
                <Button size="small" variant="outlined" disabled={isBusy} onClick={() => open('assign')}>
                  Assign
                </Button>
                <Button size="small" variant="outlined" disabled={isBusy} onClick={() => setToGroup({ selection: choice, count })}>
                  Add to group
                </Button>
                <Button size="small" variant="outlined" disabled={isBusy} onClick={() => archive.mutate(choice, { onSuccess: onClear })}>
                  Archive
                </Button>
              </>
            )}
            <Button
              size="small"
              variant="outlined"
              disabled={isBusy || hmrcProblem !== undefined}
              aria-describedby={hmrcProblem === undefined ? undefined : reasonId}
              onClick={() => setToRequest({ selection: choice, count })}
            >
              Request authorisation
            </Button>
            <RefreshButtons
              isDisabled={isBusy || hmrcProblem !== undefined}
              disabledReasonId={hmrcProblem === undefined ? undefined : reasonId}
              press={(tax) => refresh.mutate({ tax, choice })}
            />
            <InviteButton companyId={companyId} chosen={{ selection: choice, count }} isDisabled={isBusy} />
            <MessageButton companyId={companyId} chosen={{ selection: choice, count }} isDisabled={isBusy} />
            {props.mayExport && (
              <FileButtons getHref={isAll ? props.exportHref : undefined} isDisabled={isBusy} press={(format) => file.mutate(format)} />
            )}
            <Button size="small" variant="text" onClick={onClear}>
              Clear selection
            </Button>
          </div>
          {hmrcProblem !== undefined && <ConnectHmrcFirst id={reasonId} companyId={companyId} missing={hmrcProblem} canConnect={isAdmin} />}
          {/* Show the refresh only if it belongs to the current selection. */}
          {refresh.data && JSON.stringify(refresh.variables.choice) === JSON.stringify(choice) && (
            <RefreshOutcome companyId={companyId} tax={refresh.variables.tax} started={refresh.data} />
          )}
          {error ? (
            <Notice tone="error" title="That didn’t work" role="alert">
              {getErrorText(error)}
            </Notice>
          ) : null}
        </div>
      )}
    </div>
  );
}

type MessageButtonProps = { companyId: string; chosen: ChosenClients; isDisabled: boolean };

/** Opens the dialog for writing to the selected clients. Shown to users who have the permission. */
function MessageButton({ companyId, chosen, isDisabled }: MessageButtonProps) {
  const mayMessage = usePermission(companyId, 'message_clients');
  const [writing, setWriting] = useState<ChosenClients | null>(null);
  if (!mayMessage) return null;
  return (
    <>
      <Button size="small" variant="outlined" disabled={isDisabled} onClick={() => setWriting(chosen)}>
        Send message
      </Button>
      {writing !== null && (
        <Suspense fallback={null}>
          <MessageDialog {...writing} companyId={companyId} onClose={() => setWriting(null)} />
        </Suspense>
      )}
    </>
  );
}

type RefreshOutcomeProps = { companyId: string; tax: AgentTax; started: EndpointOutput<typeof syncApi.start> };

/** The state of a refresh that was started here: waiting, then its result. The page's event stream keeps it up to date. */
function RefreshOutcome({ companyId, tax, started: { queued, run_id: runId } }: RefreshOutcomeProps) {
  const { data } = useQuery(apiQuery(syncApi.refreshingClients, { company_id: companyId, tax_type: tax }));
  const endedRun = data?.run?.run_id === runId && !data.is_refreshing ? data.run : undefined;
  return (
    <Text role="status" size="small">
      {endedRun
        ? toText(listEndedParts(endedRun))
        : queued === 0
          ? 'None of these clients is active for that tax, or a refresh is already running.'
          : `${formatClientCount(queued)} queued. See the progress above the list.`}
    </Text>
  );
}

type RefreshButtonsProps = { isDisabled: boolean; disabledReasonId: string | undefined; press: (tax: AgentTax) => void };

function RefreshButtons({ isDisabled, disabledReasonId, press }: RefreshButtonsProps) {
  return AGENT_TAXES.map((tax) => (
    <Button key={tax} size="small" variant="outlined" disabled={isDisabled} aria-describedby={disabledReasonId} onClick={() => press(tax)}>
      Refresh {tax.toUpperCase()}
    </Button>
  ));
}

type FileButtonsProps = {
  /** Returns the URL of a file with all matching clients. For ticked clients, the file is requested with a POST instead. */
  getHref: ((format: ExportFormat) => string) | undefined;
  isDisabled: boolean;
  press: (format: ExportFormat) => void;
};

function FileButtons({ getHref, isDisabled, press }: FileButtonsProps) {
  return EXPORT_FORMATS.map((format) =>
    getHref ? (
      <Button key={format} href={getHref(format)} download size="small" variant="text">
        Download {format.toUpperCase()}
      </Button>
    ) : (
      <Button key={format} disabled={isDisabled} onClick={() => press(format)} size="small" variant="text">
        Download {format.toUpperCase()}
      </Button>
    ),
  );
}

function formatSelection(count: number, isAll: boolean, isArchiving: boolean): string {
  if (isArchiving) return `Archiving ${formatClientCount(count)}…`;
  return isAll ? `All ${formatClientCount(count)} that match the filters are selected` : `${formatClientCount(count)} selected`;
}

type BulkChange = { readonly title: string; readonly changeId: string };

/** Archives with one click. The undo is shown afterwards. */
function useArchive(companyId: string, onChanged: (bulkChange: BulkChange) => void) {
  const invalidateClients = useInvalidateClients();
  return useMutation({
    mutationFn: (choice: ClientSelection) => apiRequest(clientsApi.setStatus, { company_id: companyId, ...choice, status: 'inactive' }),
    onSuccess: async ({ change_id: changeId, counts }) => {
      if (changeId !== null) onChanged({ title: `${formatClientCount(counts.changed)} archived`, changeId });
      await invalidateClients();
    },
  });
}

/** The last bulk change, with an undo. It stays until dismissed, even if the selection changes. */
function LastBulkChange({
  companyId,
  made: { title, changeId },
  onDismiss,
}: {
  companyId: string;
  made: BulkChange;
  onDismiss: () => void;
}) {
  return (
    <Notice tone="success" title={title} role="status">
      {title.endsWith('archived') && 'Inactive clients aren’t included in totals or the calendar. Nothing is deleted. '}
      You can undo this for 24 hours, here or under “Recent changes” above the list.
      <UndoChange key={changeId} companyId={companyId} changeId={changeId} onClose={onDismiss} />
    </Notice>
  );
}
