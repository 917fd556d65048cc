/** Actions on the selected clients: those ticked, or all that match the filters. */
import { AGENT_TAXES, type AgentTax } from '@portal/domain/uk-tax/tax.ts';
import { clientsApi, type ClientSelection, type ClientFilters, EXPORT_FORMATS, type ExportFormat } from '@portal/contract/clients.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { syncApi } from '@portal/contract/sync.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { formatClientCount } from '../../lib/client-labels.ts';
import { downloadSelectedClients } from '../../lib/download-selected-clients.ts';
import { errorText } from '../../lib/error-text.ts';
import { useHmrcMissing } from '../../lib/use-hmrc-missing.ts';
import { useInvalidateClients } from '../../lib/use-invalidate-clients.ts';
import { ChangeClientsDialog, type ClientChange } from '../../ui/change-clients-dialog.tsx';
import { ConnectHmrcFirst } from '../../ui/connect-hmrc-first.tsx';
import { Notice } from '../../ui/notice.tsx';
import { describeEndedRun } from '../../ui/refresh-status.tsx';
import { UndoChange } from '../../ui/undo-change.tsx';

type SelectionBarProps = {
  companyId: string;
  filters: ClientFilters;
  /** The names of the loaded clients, by ID. */
  known: ReadonlyMap<string, string>;
  selected: ReadonlySet<string>;
  /** Whether the selection is all clients that match the filters, not only those that are ticked. */
  isAll: boolean;
  /** How many clients match the filters. Undefined while counting. */
  total: number | undefined;
  onAll: () => void;
  onClear: () => void;
  exportQuery: (format: ExportFormat) => URLSearchParams;
  exportHref: (format: ExportFormat) => string;
  /** Whether the person is an admin. Only admins may set the status, assign clients and connect HMRC. */
  isAdmin: boolean;
};

export function SelectionBar(props: SelectionBarProps) {
  const { companyId, filters, known, selected, isAll, total, onAll, onClear, isAdmin } = props;
  // The clients the dialog was opened for. Afterwards the filters may match no clients, but the result must still be shown.
  const [act, setAct] = useState<{ readonly change: ClientChange; readonly selection: ClientSelection; readonly count: number } | null>(
    null,
  );
  const count = isAll ? (total ?? 0) : selected.size;
  const ids = [...selected];
  const choice: ClientSelection = isAll ? { matching: { filters, count } } : { client_ids: ids };
  const [made, setMade] = useState<BulkChange | null>(null);
  const archive = useArchive(companyId, setMade);
  const refresh = useMutation({
    mutationFn: async (of: { readonly tax: AgentTax; readonly choice: ClientSelection }) =>
      apiRequest(syncApi.start, { company_id: companyId, tax_type: of.tax, ...of.choice }),
  });
  const missing = useHmrcMissing(companyId);
  const reasonId = useId();
  const file = useMutation({ mutationFn: (format: ExportFormat) => downloadSelectedClients(props.exportQuery(format), ids) });
  const error = archive.error ?? refresh.error ?? file.error;
  const open = (what: ClientChange): void => setAct({ change: what, selection: choice, count });
  const outcome = (
    <>
      {made && <LastBulkChange companyId={companyId} made={made} onDismiss={() => setMade(null)} />}
      {act !== null && (
        <ChangeClientsDialog
          {...act}
          companyId={companyId}
          names={known}
          onChanged={(changeId, changed) => setMade({ title: `${formatClientCount(changed)} changed`, changeId })}
          onClose={() => setAct(null)}
        />
      )}
    </>
  );
  const isBusy = archive.isPending || refresh.isPending || file.isPending;
  return (
    // The outcome and the bar share the bottom of the window, one above the other. Otherwise the bar would cover the undo.
    <Box sx={{ position: 'sticky', bottom: 8, zIndex: 5, display: 'grid', gap: 1, mt: 1, maxHeight: '70dvh', overflowY: 'auto' }}>
      {outcome}
      {count > 0 && (
        <Box
          role="region"
          aria-label="Chosen clients"
          sx={{
            p: 1.5,
            border: 1,
            borderColor: 'primary.tone',
            borderRadius: 1,
            bgcolor: 'background.paper',
          }}
        >
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
            <Typography role="status" sx={{ fontWeight: 600, mr: 'auto' }}>
              {formatSelection(count, isAll, archive.isPending)}
            </Typography>
            {!isAll && total !== undefined && total > count && (
              <Button size="small" variant="text" onClick={onAll}>
                Choose all {total.toLocaleString('en-GB')} that match
              </Button>
            )}
            {isAdmin && (
              <>
                <Button size="small" variant="outlined" disabled={isBusy} onClick={() => open('status')}>
                  Set the status
                </Button>
                <Button size="small" variant="outlined" disabled={isBusy} onClick={() => open('assign')}>
                  Give to a colleague
                </Button>
                <Button size="small" variant="outlined" disabled={isBusy} onClick={() => archive.mutate(choice, { onSuccess: onClear })}>
                  Archive
                </Button>
              </>
            )}
            <RefreshButtons
              isDisabled={isBusy || missing !== undefined}
              disabledReasonId={missing === undefined ? undefined : reasonId}
              press={(tax) => refresh.mutate({ tax, choice })}
            />
            <FileButtons getHref={isAll ? props.exportHref : undefined} isDisabled={isBusy} press={(format) => file.mutate(format)} />
            <Button size="small" variant="text" onClick={onClear}>
              Choose none
            </Button>
          </Box>
          {missing !== undefined && (
            <Box sx={{ mt: 1 }}>
              <ConnectHmrcFirst id={reasonId} companyId={companyId} missing={missing} canConnect={isAdmin} />
            </Box>
          )}
          {/* Show the refresh only if it belongs to the current selection. */}
          {refresh.data && JSON.stringify(refresh.variables.choice) === JSON.stringify(choice) && (
            <RefreshOutcome companyId={companyId} tax={refresh.variables.tax} started={refresh.data} />
          )}
          {error ? (
            <Box sx={{ mt: 1 }}>
              <Notice tone="error" title="It was not done" role="alert">
                {errorText(error)}
              </Notice>
            </Box>
          ) : null}
        </Box>
      )}
    </Box>
  );
}

type RefreshOutcomeProps = { companyId: string; tax: AgentTax; started: EndpointOutput<typeof syncApi.start> };

/** The state of the refresh that was started here: waiting, then its result. The page's event stream keeps it up to date. */
function RefreshOutcome({ companyId, tax, started: { queued, run_id: runId } }: RefreshOutcomeProps) {
  const { data } = useQuery(apiQuery(syncApi.refreshingClients, { company_id: companyId, tax_type: tax }));
  const ended = data?.run?.run_id === runId && !data.is_refreshing ? data.run : undefined;
  return (
    <Typography role="status" variant="body2" sx={{ mt: 1 }}>
      {ended
        ? describeEndedRun(ended)
        : queued === 0
          ? 'None of them is in hand with that tax, or they are being read already.'
          : `${formatClientCount(queued)} waiting to be read; the progress stands above the list.`}
    </Typography>
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
  /** Returns the URL of a file with all clients that match. Ticked clients are sent in a request instead. */
  getHref: ((format: ExportFormat) => string) | undefined;
  isDisabled: boolean;
  press: (format: ExportFormat) => void;
};

function FileButtons({ getHref, isDisabled, press }: FileButtonsProps) {
  const look = { size: 'small', variant: 'text', sx: { minWidth: 0 } } as const;
  return EXPORT_FORMATS.map((format) =>
    getHref ? (
      <Button key={format} component="a" href={getHref(format)} download {...look}>
        {format.toUpperCase()}
      </Button>
    ) : (
      <Button key={format} disabled={isDisabled} onClick={() => press(format)} {...look}>
        {format.toUpperCase()}
      </Button>
    ),
  );
}

function formatSelection(count: number, isAll: boolean, isArchiving: boolean): string {
  if (isArchiving) return `Archiving ${formatClientCount(count)} …`;
  return isAll ? `All ${formatClientCount(count)} that match chosen` : `${formatClientCount(count)} chosen`;
}

type BulkChange = { readonly title: string; readonly changeId: string };

/** Archives with one click. The undo is shown below the list. */
function useArchive(companyId: string, onChanged: (made: BulkChange) => void) {
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
      {title.endsWith('archived') && 'Inactive clients are in no total and not on the calendar; nothing of theirs is removed. '}
      It can be undone for 24 hours, here or above the list under “Changes”.
      <UndoChange key={changeId} companyId={companyId} changeId={changeId} onClose={onDismiss} />
    </Notice>
  );
}
