/** The trader's documents: HMRC receipts, offers and agreements, the statement of account, and journals for the trader's own books. */
import { documentsApi, type DocumentsOutput } from '@portal/contract/documents.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { JournalsCard } from './journals-card.tsx';
import { PeriodFields, type ChosenPeriod } from './period-fields.tsx';
import { PeriodsCard } from './periods-card.tsx';
import { StatementCard } from './statement-card.tsx';

export function DocumentsScreen() {
  const { companyId, isSettled } = useCompanyId();
  const query = useQuery({ ...apiQuery(documentsApi.list, { company_id: companyId }), enabled: companyId !== '' });
  return (
    <Page title="Documents" lead={query.data?.company_name ?? <>&nbsp;</>}>
      {isSettled && companyId === '' ? (
        <Notice tone="warning" title="This link doesn’t include a company">
          Open your documents from your dashboard.
        </Notice>
      ) : (
        <LoadState query={query}>{(data) => <Documents key={companyId} data={data} companyId={companyId} />}</LoadState>
      )}
    </Page>
  );
}

function Documents({ data, companyId }: { data: DocumentsOutput; companyId: string }) {
  const { first_on: firstOn, today } = data.account;
  const [period, setPeriod] = useState<ChosenPeriod>({ from: firstOn ?? today, to: today });
  return (
    <Stack gap={24}>
      <PeriodsCard periods={data.periods} companyId={companyId} />
      {firstOn === null ? (
        <Notice tone="info" title="No statement yet">
          Your statement of account and journals start with your first early refund.
        </Notice>
      ) : (
        <>
          <StatementCard data={data} companyId={companyId} period={period}>
            <PeriodFields period={period} firstOn={firstOn} today={today} onChange={setPeriod} />
          </StatementCard>
          <JournalsCard data={data} companyId={companyId} period={period} />
        </>
      )}
    </Stack>
  );
}
