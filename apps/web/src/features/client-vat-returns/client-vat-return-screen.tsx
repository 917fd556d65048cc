/** A client's VAT return, as the practice sees it: boxes and checks, the client's approval, filing as its agent, and HMRC's receipt. */
import { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import { clientReturnsApi } from '@portal/contract/client-returns.ts';
import { returnApprovalsApi } from '@portal/contract/return-approvals.ts';
import type { VatReturnOutput } from '@portal/contract/vat-returns.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { PracticePage } from '../../components/practice/practice-page.tsx';
import { AdjustmentsCard } from '../../components/vat-returns/adjustments-card.tsx';
import { BoxesCard } from '../../components/vat-returns/boxes-card.tsx';
import { ChecksCard } from '../../components/vat-returns/checks-card.tsx';
import { ComparisonCard } from '../../components/vat-returns/comparison-card.tsx';
import { CorrectionsCard } from '../../components/vat-returns/corrections-card.tsx';
import { ReceiptCard } from '../../components/vat-returns/receipt-card.tsx';
import { getResultLabel } from '../../components/vat-returns/return-api.ts';
import { getClientReturnChip, getReturnChip } from '../../components/vat-returns/return-chips.ts';
import { TransactionsDialog } from '../../components/vat-returns/transactions-dialog.tsx';
import { apiQuery } from '../../lib/api.ts';
import type { OpenableBox } from '../../lib/box-names.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { periodText } from '../../lib/period-text.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { AdvanceProposalCard } from './advance-proposal-card.tsx';
import { ApprovalCard } from './approval-card.tsx';
import { ClientFilingCard } from './client-filing-card.tsx';
import { ClientReturnStatus } from './client-return-status.tsx';
import type { ClientReturnTarget } from './client-return-target.ts';
import { ReturnMessagesCard } from './return-messages-card.tsx';

/** While a return is being sent, its state changes within seconds. */
const FILING_INTERVAL_MS = 2_000;

export function ClientVatReturnScreen() {
  const { companyId } = useCompanyId();
  const [search] = useSearchParams();
  const input = { company_id: companyId, client_id: search.get('client_id') ?? '', obligation_id: search.get('obligation_id') ?? '' };
  const isNamed = companyId !== '' && input.client_id !== '' && input.obligation_id !== '';
  const client = useQuery({
    ...apiQuery(clientDashboardApi.profile, { company_id: companyId, client_id: input.client_id }),
    enabled: companyId !== '' && input.client_id !== '',
  });
  const query = useQuery({
    ...apiQuery(clientReturnsApi.get, input),
    enabled: isNamed,
    refetchInterval: ({ state }) => (state.data?.obligation.state === 'filing' ? FILING_INTERVAL_MS : false),
  });
  const { data } = query;
  const vatTab = getPageLink('clientDashboard', { company_id: companyId, client_id: input.client_id, tab: 'vat' });
  return (
    <PracticePage
      title={data ? `VAT return, ${periodText(data.obligation.period_start, data.obligation.period_end)}` : 'VAT return'}
      lead={client.data ? <TextLink to={vatTab}>{client.data.full_name}</TextLink> : '\u00A0'}
      actions={data && <ReturnChip data={data} input={input} />}
      maxWidth="wide"
    >
      {isNamed ? (
        <LoadState query={query}>
          {(clientReturn) => <ClientReturn key={input.obligation_id} data={clientReturn} input={input} />}
        </LoadState>
      ) : (
        <Notice tone="info" title="No return to show">
          Open a return from the client’s VAT section, or from{' '}
          <TextLink to={getPageLink('practiceVatReturns', { company_id: companyId })}>all VAT returns</TextLink>.
        </Notice>
      )}
    </PracticePage>
  );
}

function ReturnChip({ data, input }: { data: VatReturnOutput; input: ClientReturnTarget }) {
  const isReady = data.obligation.state === 'ready';
  const { approval } = useQuery({ ...apiQuery(returnApprovalsApi.get, input), enabled: isReady }).data ?? {};
  if (data.settled) return <StateChip {...getReturnChip(data)} />;
  return <StateChip {...getClientReturnChip(data.obligation.state, approval?.ended_at === null ? approval.state : null)} />;
}

function ClientReturn({ data, input }: { data: VatReturnOutput; input: ClientReturnTarget }) {
  const [openBox, setOpenBox] = useState<OpenableBox | null>(null);
  const approval = useQuery(apiQuery(returnApprovalsApi.get, input));
  const { obligation, boxes, figures_version: version } = data;
  const isReady = obligation.state === 'ready' || obligation.state === 'refused';
  const canChange = (isReady || obligation.state === 'open_running') && version !== null;
  const isOpen = canChange || obligation.state === 'no_books';
  return (
    <Stack gap={24}>
      <ClientReturnStatus data={data} input={input} />
      {data.receipt && <ReceiptCard data={data} receipt={data.receipt} input={input} />}
      {boxes && <BoxesCard data={data} boxes={boxes} openTransactions={setOpenBox} label={getResultLabel(input, boxes)} />}
      {boxes && <AdjustmentsCard data={data} input={input} canChange={canChange} />}
      {isOpen && <CorrectionsCard input={input} />}
      {boxes && <ComparisonCard data={data} boxes={boxes} />}
      {isReady && <ChecksCard data={data} />}
      {obligation.state !== 'open_running' && obligation.state !== 'no_books' && (
        <LoadState query={approval}>
          {(clientReturn) => (
            <Stack gap={24}>
              <ApprovalCard output={clientReturn} version={isReady ? version : null} input={input} />
              <AdvanceProposalCard input={input} />
              <ReturnMessagesCard output={clientReturn} input={input} />
              {isReady && boxes && version !== null && (
                <ClientFilingCard data={data} boxes={boxes} version={version} output={clientReturn} input={input} />
              )}
            </Stack>
          )}
        </LoadState>
      )}
      <TransactionsDialog key={openBox} box={openBox} data={data} input={input} onClose={() => setOpenBox(null)} />
    </Stack>
  );
}
