/** Shows what HMRC and traders owe us, in total and by company, with the limits and their changes. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { operatorCompaniesApi } from '@portal/contract/operator-companies.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { useQuery } from '@tanstack/react-query';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiQuery } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { TOO_NARROW_FOR_ACTIONS } from '../../lib/use-media-query.ts';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { Progress } from '../../ui/progress-bar.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ApprovalsCard } from './approvals-card.tsx';
import { ChangeLimit } from './change-limit.tsx';

type Exposure = EndpointOutput<typeof operatorCompaniesApi.exposure>;

export function ExposureScreen() {
  const query = useQuery(apiQuery(operatorCompaniesApi.exposure, {}));
  return (
    <Page title="Exposure and limits" maxWidth="full" lead={<TextLink to={getPageLink('adminQueues')}>Back to work queue</TextLink>}>
      <Stack gap={24}>
        <ApprovalsCard />
        <LoadState query={query}>
          {(data) => (
            <Stack gap={24}>
              <TotalCard data={data} />
              <LargestCard data={data} />
              <ChangesCard data={data} />
            </Stack>
          )}
        </LoadState>
      </Stack>
    </Page>
  );
}

function TotalCard({ data: { total, company_limit_pence } }: { data: Exposure }) {
  const { exposure_pence: exposure, limit_pence: limit } = total;
  return (
    <SectionCard
      title="All companies"
      source={`Refunds that traders have sold to us, whether paid out or about to be, less repayments. The limit for each company is ${formatPounds(company_limit_pence)} unless it has its own.`}
    >
      <Stack>
        <KeyFigure
          figure={formatPounds(exposure)}
          label={`Accepted and not yet repaid, out of a limit of ${formatPounds(limit)}`}
          details={
            exposure > limit
              ? 'Over the limit: we can’t buy any more refunds until some are repaid'
              : `${formatPounds(pence(limit - exposure))} available for new refunds`
          }
          tone={exposure > limit ? 'error' : undefined}
        />
        <Progress percent={limit > 0 ? Math.min(100, (exposure / limit) * 100) : 100} label="Exposure against the limit" />
        <ChangeLimit company={null} limit={limit} />
      </Stack>
    </SectionCard>
  );
}

function LargestCard({ data: { largest } }: { data: Exposure }) {
  return (
    <SectionCard title="Largest companies" aside={<TextLink to={getPageLink('adminCompanies')}>All companies</TextLink>}>
      {largest.length === 0 ? (
        <Text>Nothing is outstanding.</Text>
      ) : (
        <RecordTable
          label="Largest companies"
          rows={largest}
          getKey={({ company_id }) => company_id}
          columns={[
            {
              title: 'Company',
              cell: ({ company_id, name }) => <TextLink to={getPageLink('adminCompany', { company_id })}>{name}</TextLink>,
            },
            { title: 'Exposure', layout: 'numeric', cell: (row) => formatPounds(row.exposure_pence) },
            { title: 'Limit', layout: 'numeric', cell: (row) => formatPounds(row.limit_pence) },
            {
              title: 'Used',
              layout: 'numeric',
              cell: (row) => (row.limit_pence === 0 ? null : `${Math.round((row.exposure_pence / row.limit_pence) * 100)}%`),
            },
          ]}
        />
      )}
    </SectionCard>
  );
}

function ChangesCard({ data: { changes } }: { data: Exposure }) {
  return (
    <SectionCard title="Limit changes">
      {changes.length === 0 ? (
        <Text>No changes yet. The default limits apply.</Text>
      ) : (
        <RecordTable
          label="Limit changes"
          rows={changes}
          getKey={({ at, company_id }) => `${at}${company_id}`}
          cardsAt={TOO_NARROW_FOR_ACTIONS}
          columns={[
            { title: 'Limit for', cell: (row) => row.company_name ?? 'All companies' },
            { title: 'Date', layout: 'nowrap', cell: ({ at }) => <InstantText at={at} /> },
            { title: 'New limit', layout: 'numeric', cell: (row) => formatPounds(row.limit_pence) },
            { title: 'Requested and approved by', cell: (row) => `${row.requested_by}, ${row.decided_by}` },
            { title: 'Reason', cell: ({ reason }) => reason },
          ]}
        />
      )}
    </SectionCard>
  );
}
