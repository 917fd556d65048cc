/**
 * Creates authorisation requests at HMRC for selected clients. Shows the number, a sample and the email choice, then the progress, and
 * finally the links.
 */
import { authorisationRequestsApi, type RequestRun } from '@portal/contract/authorisation-requests.ts';
import type { ClientSelection } from '@portal/contract/clients.ts';
import type { ClientFilters } from '@portal/contract/client-filters.ts';
import { AGENT_TAXES, type AgentTax, TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { formatClientCount } from '../../lib/client-labels.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { useIsAdmin } from '../../lib/practice-profile.ts';
import { useInvalidateClients } from '../../lib/use-invalidate-clients.ts';
import { Button } from '../../ui/button.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { Select } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { LineSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { EmailsClientsChoice } from './emails-clients-choice.tsx';
import { RequestPreview } from './request-preview.tsx';
import { RequestLinks } from './request-links.tsx';
import { RequestRunResult } from './request-run-result.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';

type RequestAuthorisationsDialogProps = {
  companyId: string;
  selection: ClientSelection;
  count: number;
  /** The tax that the list is filtered by, if it can be requested at HMRC. */
  tax: ClientFilters['tax'];
  onClose: () => void;
};

export function RequestAuthorisationsDialog({ companyId, selection, count, tax: listTax, onClose }: RequestAuthorisationsDialogProps) {
  const [tax, setTax] = useState<AgentTax>(listTax === 'sa' ? 'sa' : 'vat');
  const [isEmailingChosen, setIsEmailingChosen] = useState<boolean>();
  const isAdmin = useIsAdmin(companyId);
  const queryClient = useQueryClient();
  const invalidateClients = useInvalidateClients();
  const target = { company_id: companyId, tax, ...selection };
  const preview = useQuery({
    queryKey: [authorisationRequestsApi.preview.path, target],
    queryFn: () => apiRequest(authorisationRequestsApi.preview, target),
    staleTime: 0,
  });
  const emailsClients = isEmailingChosen ?? preview.data?.emails_clients ?? true;
  const start = useMutation({
    mutationFn: (readyCount: number) =>
      apiRequest(authorisationRequestsApi.start, { ...target, count: readyCount, emails_clients: emailsClients }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [authorisationRequestsApi.latest.path] }),
    onError: () => void preview.refetch(),
  });
  const close = (): void => {
    void invalidateClients();
    onClose();
  };
  const readyCount = preview.data?.ready ?? 0;
  return (
    <ModalDialog
      open
      small
      heading={`Create authorisation requests for ${formatClientCount(count)}`}
      onClose={close}
      loading={start.isPending}
      actions={
        start.data ? (
          <Button onClick={close}>Close</Button>
        ) : (
          <>
            <Button variant="outlined" onClick={close} disabled={start.isPending}>
              Cancel
            </Button>
            <SubmitButton
              missing={preview.isFetching ? 'Counting clients…' : readyCount === 0 ? 'None of these clients needs a request.' : undefined}
              isBusy={start.isPending}
              onClick={() => start.mutate(readyCount)}
            >
              {readyCount === 1 ? 'Create 1 request' : `Create ${readyCount.toLocaleString('en-GB')} requests`}
            </SubmitButton>
          </>
        )
      }
    >
      {start.data ? (
        <RunProgress companyId={companyId} tax={tax} runId={start.data.run_id} />
      ) : (
        <Stack>
          <FieldFrame id="request-tax" label="Tax" hint="HMRC only accepts requests from software for VAT and Self Assessment.">
            <Select id="request-tax" value={tax} onChange={(event) => setTax(event.target.value === 'sa' ? 'sa' : 'vat')}>
              {AGENT_TAXES.map((value) => (
                <option key={value} value={value}>
                  {TAX_NAMES[value]}
                </option>
              ))}
            </Select>
          </FieldFrame>
          <LoadState query={preview} skeleton={<LineSkeleton width="80%" height={20} />}>
            {(data) => (
              <RequestPreview companyId={companyId} tax={tax} selection={selection} preview={data} emailsClients={emailsClients} />
            )}
          </LoadState>
          {readyCount > 0 && <EmailsClientsChoice checked={emailsClients} canChange={isAdmin} onChange={setIsEmailingChosen} isMany />}
          {start.error !== null && (
            <Notice tone="error" title="No request was created" role="alert">
              {getErrorText(start.error)}
            </Notice>
          )}
        </Stack>
      )}
    </ModalDialog>
  );
}

const POLL_MS = 2_000;

/** Shows the dialog's run, which continues after the dialog is closed. */
function RunProgress({ companyId, tax, runId }: { companyId: string; tax: AgentTax; runId: string }) {
  const isOver = (run: RequestRun | null | undefined): boolean => run?.run_id === runId && run.ended_at !== null;
  const query = useQuery({
    ...apiQuery(authorisationRequestsApi.latest, { company_id: companyId, tax }),
    refetchInterval: ({ state }) => (isOver(state.data?.run) ? false : POLL_MS),
  });
  const run = query.data?.run;
  if (!run || run.run_id !== runId) return <LineSkeleton width="80%" height={20} />;
  return (
    <Stack>
      <RequestRunResult companyId={companyId} run={run} />
      {run.ended_at === null ? (
        <Text tone="quiet">
          You can close this window. The requests will still be created, and the links will appear in Settings, Connections.
        </Text>
      ) : (
        <RequestLinks companyId={companyId} tax={tax} />
      )}
    </Stack>
  );
}
