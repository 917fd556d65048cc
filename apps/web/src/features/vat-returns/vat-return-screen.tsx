/** One VAT return: the nine boxes and the transactions behind them, checks, filing, and the receipt. */
import { dashboardApi } from '@portal/contract/dashboard.ts';
import { vatReturnsApi, type VatReturnOutput } from '@portal/contract/vat-returns.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate } from 'react-router';
import { useSearchParams } from '../../lib/search-params.ts';
import { apiQuery } from '../../lib/api.ts';
import type { OpenableBox } from '../../lib/box-names.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { periodText } from '../../lib/period-text.ts';
import { useCompanyRight } from '../../lib/use-company-right.ts';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { NeedsRight } from '../../components/companies/needs-right.tsx';
import { AdjustmentsCard } from '../../components/vat-returns/adjustments-card.tsx';
import { BooksDifferenceCard } from './books-difference-card.tsx';
import { BoxesCard } from '../../components/vat-returns/boxes-card.tsx';
import { ChecksCard } from '../../components/vat-returns/checks-card.tsx';
import { ComparisonCard } from '../../components/vat-returns/comparison-card.tsx';
import { CorrectionsCard } from '../../components/vat-returns/corrections-card.tsx';
import { FileReturnCard } from '../../components/vat-returns/file-return-card.tsx';
import { ReceiptCard } from '../../components/vat-returns/receipt-card.tsx';
import { getReturnChip } from '../../components/vat-returns/return-chips.ts';
import { NeighbouringReturns } from './neighbouring-returns.tsx';
import { ReturnStatus } from './return-status.tsx';
import { TransactionsDialog } from '../../components/vat-returns/transactions-dialog.tsx';

/** While a return is being sent, its state changes within seconds. */
const FILING_INTERVAL_MS = 2_000;

export function VatReturnScreen() {
  const { companyId, isSettled } = useCompanyId();
  const [search] = useSearchParams();
  const obligationId = search.get('obligation_id') ?? '';
  const query = useQuery({
    ...apiQuery(vatReturnsApi.get, { company_id: companyId, obligation_id: obligationId }),
    enabled: companyId !== '' && obligationId !== '',
    refetchInterval: ({ state }) => (state.data?.obligation.state === 'filing' ? FILING_INTERVAL_MS : false),
  });
  const period = query.data ? periodText(query.data.obligation.period_start, query.data.obligation.period_end) : undefined;
  return (
    <Page
      title={period === undefined ? 'VAT return' : `VAT return, ${period}`}
      lead={<TextLink to={getPageLink('dashboard', companyId === '' ? {} : { company_id: companyId })}>Back to the dashboard</TextLink>}
      actions={query.data ? <StateChip {...getReturnChip(query.data)} /> : undefined}
      maxWidth="wide"
    >
      {isSettled && companyId === '' ? (
        <NoReturn />
      ) : obligationId === '' ? (
        <NextReturn companyId={companyId} />
      ) : (
        <LoadState query={query}>{(data) => <VatReturn key={obligationId} data={data} companyId={companyId} />}</LoadState>
      )}
    </Page>
  );
}

/** The page's plain URL (docs/product/specification.md section 2.2) doesn't name a return, so open the first one that hasn't been filed. */
function NextReturn({ companyId }: { companyId: string }) {
  const query = useQuery({ ...apiQuery(dashboardApi.get, { company_id: companyId }), enabled: companyId !== '' });
  return (
    <LoadState query={query}>
      {({ open_period }) =>
        open_period === null ? (
          <NoReturn />
        ) : (
          <Navigate to={getPageLink('vatReturn', { company_id: companyId, obligation_id: open_period.obligation_id })} replace />
        )
      }
    </LoadState>
  );
}

function NoReturn() {
  return (
    <Notice tone="info" title="No return to show">
      Your returns appear on the dashboard once HMRC is connected.
    </Notice>
  );
}

function VatReturn({ data, companyId }: { data: VatReturnOutput; companyId: string }) {
  const [openBox, setOpenBox] = useState<OpenableBox | null>(null);
  const mayPrepare = useCompanyRight(companyId, 'company.prepare');
  const { obligation } = data;
  const input = { company_id: companyId, obligation_id: obligation.obligation_id };
  const isReady = obligation.state === 'ready' || obligation.state === 'refused';
  const canChange = (isReady || obligation.state === 'open_running') && data.figures_version !== null;
  const isOpen = canChange || obligation.state === 'no_books';
  return (
    <Stack gap={24}>
      <ReturnStatus data={data} companyId={companyId} />
      {data.receipt && <ReceiptCard data={data} receipt={data.receipt} input={input} />}
      {data.boxes && <BoxesCard data={data} boxes={data.boxes} openTransactions={setOpenBox} />}
      {data.books_difference && <BooksDifferenceCard difference={data.books_difference} />}
      {data.boxes && <AdjustmentsCard data={data} input={input} canChange={canChange && mayPrepare !== false} />}
      {isOpen && mayPrepare !== false && <CorrectionsCard input={input} />}
      {data.boxes && <ComparisonCard data={data} boxes={data.boxes} />}
      {isReady && <ChecksCard data={data} />}
      {isReady && data.boxes && data.figures_version !== null && (
        <NeedsRight companyId={companyId} access="company.file_return" to="file this return">
          <FileReturnCard data={data} boxes={data.boxes} figuresVersion={data.figures_version} input={input} />
        </NeedsRight>
      )}
      <NeighbouringReturns companyId={companyId} obligationId={obligation.obligation_id} />
      <TransactionsDialog key={openBox} box={openBox} data={data} input={input} onClose={() => setOpenBox(null)} />
    </Stack>
  );
}
