/** The company the profile was opened for, and the bank account its refunds are paid into. */
import { onboardingApi, type Progress } from '@portal/contract/onboarding.ts';
import { PAGES, type PageName } from '@portal/contract/pages.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { pageLink } from '../../lib/page-link.ts';
import { formatSortCode } from '../../lib/format-sort-code.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { AgentCard } from './agent-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';

const HMRC_STATUS_LABELS: Readonly<Record<Progress['hmrc']['status'], string>> = {
  connected: 'Connected',
  not_connected: 'Not connected',
  lapsed: 'Ended: connect again',
  declined: 'Not connected: you said no',
};

export function CompanyCards() {
  const { companyId, settled } = useCompanyId();
  const query = useQuery({ ...apiQuery(onboardingApi.progress, companyId === '' ? {} : { company_id: companyId }), enabled: settled });
  return (
    <LoadState query={query} skeleton={<CardSkeleton lines={3} />}>
      {(progress) => (
        <>
          <CompanyCard progress={progress} />
          {progress.company_id !== null && <BankCard progress={progress} />}
          {progress.company_id !== null && <AgentCard companyId={progress.company_id} />}
        </>
      )}
    </LoadState>
  );
}

function CardLink({ page, progress, label }: { page: PageName; progress: Progress; label: string }) {
  return (
    <Link component={RouterLink} to={pageLink(page, progress.company_id === null ? {} : { company_id: progress.company_id })}>
      {label}
    </Link>
  );
}

function CompanyCard({ progress }: { progress: Progress }) {
  const { company, hmrc } = progress;
  return (
    <SectionCard
      title="Company"
      aside={
        <Link component={RouterLink} to={PAGES.company.path}>
          All companies
        </Link>
      }
    >
      {company === null ? (
        <Typography>
          You have no company here yet. <CardLink page="stepCompany" progress={progress} label="Add your company" />
        </Typography>
      ) : (
        <>
          <FactList
            facts={[
              { label: 'Company name', value: company.name },
              { label: 'Company number', value: company.company_number },
              { label: 'VAT registration number', value: formatVrn(company.vrn) },
              { label: 'HMRC', value: HMRC_STATUS_LABELS[hmrc.status] },
            ]}
          />
          <Typography sx={{ mt: 2, display: 'flex', flexWrap: 'wrap', columnGap: 3, rowGap: 1 }}>
            <CardLink page="dashboard" progress={progress} label="Open the dashboard" />
            {hmrc.status !== 'connected' && <CardLink page="linkHmrcAccount" progress={progress} label="Connect to HMRC" />}
          </Typography>
        </>
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
        <CardLink page="stepBankAccount" progress={progress} label={account === null ? 'Add your bank account' : 'Change the account'} />
      }
    >
      {account === null ? (
        <Typography>We do not know yet where to pay your refund.</Typography>
      ) : (
        <FactList
          facts={[
            { label: 'Account holder', value: account.account_holder },
            { label: 'Sort code', value: formatSortCode(account.sort_code) },
            { label: 'Account number', value: `ends in ${account.account_number_end}` },
          ]}
        />
      )}
    </SectionCard>
  );
}
