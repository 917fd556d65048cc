/** The company that the profile was opened for, and the bank account its refunds are paid into. */
import { onboardingApi, type Progress } from '@portal/contract/onboarding.ts';
import { PAGES, type PageName } from '@portal/contract/pages.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { formatSortCode } from '@portal/domain/uk-tax/references/format-sort-code.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ApiKeysCard } from '../../components/developers/api-keys-card.tsx';
import { WebhooksCard } from '../../components/developers/webhooks-card.tsx';
import { NeedsRight } from '../../components/companies/needs-right.tsx';
import { DataCard } from '../../components/data-protection/data-card.tsx';
import { AgentCard } from './agent-card.tsx';

const HMRC_STATUS_LABELS: Readonly<Record<Progress['hmrc']['status'], string>> = {
  connected: 'Connected',
  not_connected: 'Not connected',
  lapsed: 'Connection ended',
  declined: 'Not connected: you didn’t give permission',
};

export function CompanyCards() {
  const { companyId, isSettled } = useCompanyId();
  const query = useQuery({ ...apiQuery(onboardingApi.progress, companyId === '' ? {} : { company_id: companyId }), enabled: isSettled });
  return (
    <LoadState query={query} skeleton={<CardSkeleton lines={3} />}>
      {(progress) => (
        <Stack gap={24}>
          <CompanyCard progress={progress} />
          {progress.company_id !== null && <BankCard progress={progress} />}
          {progress.company_id !== null && (
            <NeedsRight companyId={progress.company_id} access="company.manage">
              <AgentCard companyId={progress.company_id} />
              <ApiKeysCard of="company" companyId={progress.company_id} />
              <WebhooksCard of="company" companyId={progress.company_id} />
              <DataCard account={{ of: 'company', companyId: progress.company_id }} />
            </NeedsRight>
          )}
        </Stack>
      )}
    </LoadState>
  );
}

function CompanyCardLink({ page, progress, label }: { page: PageName; progress: Progress; label: string }) {
  return <TextLink to={getPageLink(page, progress.company_id === null ? {} : { company_id: progress.company_id })}>{label}</TextLink>;
}

function CompanyCard({ progress }: { progress: Progress }) {
  const { company, hmrc } = progress;
  return (
    <SectionCard title="Company" aside={<TextLink to={PAGES.company.path}>All companies</TextLink>}>
      {company === null ? (
        <Text>
          You haven’t added a company yet. <CompanyCardLink page="stepCompany" progress={progress} label="Add your company" />
        </Text>
      ) : (
        <Stack>
          <FactList
            facts={[
              { label: 'Company name', value: company.name },
              { label: 'Company number', value: company.company_number },
              { label: 'VAT registration number', value: formatVrn(company.vrn) },
              { label: 'HMRC', value: HMRC_STATUS_LABELS[hmrc.status] },
            ]}
          />
          <Row gap={24}>
            <CompanyCardLink page="dashboard" progress={progress} label="Go to dashboard" />
            <CompanyCardLink page="companyPeople" progress={progress} label="People with access" />
            {hmrc.status !== 'connected' && (
              <CompanyCardLink
                page="linkHmrcAccount"
                progress={progress}
                label={hmrc.status === 'lapsed' ? 'Reconnect HMRC' : 'Connect HMRC'}
              />
            )}
          </Row>
        </Stack>
      )}
    </SectionCard>
  );
}

function BankCard({ progress }: { progress: Progress }) {
  const account = progress.bank_account;
  return (
    <SectionCard
      title="Bank account"
      aside={
        <NeedsRight companyId={progress.company_id ?? ''} access="company.manage">
          <CompanyCardLink
            page="stepBankAccount"
            progress={progress}
            label={account === null ? 'Add bank account' : 'Change bank account'}
          />
        </NeedsRight>
      }
    >
      {account === null ? (
        <Text>Add a bank account so that we know where to pay your refund.</Text>
      ) : (
        <FactList
          facts={[
            { label: 'Account holder', value: account.account_holder },
            { label: 'Sort code', value: formatSortCode(account.sort_code) },
            { label: 'Account number', value: `Ending ${account.account_number_end}` },
          ]}
        />
      )}
    </SectionCard>
  );
}
