import { getSettingsPath } from '@portal/contract/practice.ts';
import { type AgentTax, TAX_NAMES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { syncApi } from '@portal/contract/sync.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { AuthorisationCounts } from '../../components/practice/authorisation-counts.tsx';
import { AgentConnection } from '../../components/practice/agent-connection.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Stack } from '../../ui/layout.tsx';
import { RefreshStatus } from '../../components/practice/refresh-status.tsx';
import type { PracticeProfile } from '../../lib/practice-profile.ts';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { MailboxCard } from './mailbox-card.tsx';
import { NightlyRefreshCard } from './nightly-refresh-card.tsx';
import { RequestsCard } from './requests-card.tsx';
import styles from './settings.module.css';

const TAX_SOURCES: readonly { readonly tax: Tax; readonly text: string }[] = [
  { tax: 'vat', text: 'From HMRC, through the connection above, for each client who’s authorised you.' },
  { tax: 'sa', text: 'From HMRC, through the connection above: balances, payments and deadlines of clients who’ve authorised you.' },
  {
    tax: 'paye',
    text: 'HMRC doesn’t share PAYE figures with agents’ software. You import statements from HMRC’s website, and we work out the deadlines.',
  },
  {
    tax: 'ct',
    text: 'HMRC doesn’t share corporation tax figures with agents’ software. You import statements, and accounting periods come from Companies House.',
  },
];

/** The practice's connections, and the taxes that HMRC's API doesn't cover. */
export function ConnectionsTab({ profile }: { profile: PracticeProfile }) {
  const codes = [
    { label: 'Corporation tax', value: profile.agent_code_ct },
    { label: 'PAYE', value: profile.agent_code_paye },
    { label: 'Self Assessment', value: profile.agent_code_sa },
  ];
  const practicePath = `${getSettingsPath('practice')}?${new URLSearchParams({ company_id: profile.company_id })}`;
  return (
    <Stack gap={24} className={styles.tab}>
      <SectionCard title="HMRC agent services">
        <AgentConnection
          companyId={profile.company_id}
          arn={profile.arn}
          hmrc={profile.hmrc}
          returnTo="settings"
          arnPath={practicePath}
          readOnly={!profile.permissions.includes('manage_connections')}
        />
      </SectionCard>
      <MailboxCard companyId={profile.company_id} mayConnect={profile.permissions.includes('manage_connections')} />
      <SectionCard title="Clients’ books">
        <Text measure>
          Connect Xero once, and prepare your clients’ VAT returns from their books.{' '}
          <TextLink to={getPageLink('practiceBooks', { company_id: profile.company_id })}>Go to clients’ books</TextLink>
        </Text>
      </SectionCard>
      <SectionCard
        title="Agent codes"
        aside={profile.role === 'admin' && <TextLink to={practicePath}>Change</TextLink>}
        source="Your clients need these for form 64-8. Adding them doesn’t connect anything."
      >
        <FactList facts={codes.map(({ label, value }) => ({ label, value: value ?? 'None' }))} />
      </SectionCard>
      <RefreshStatus companyId={profile.company_id} isAdmin={profile.role === 'admin'} />
      <NightlyRefreshCard companyId={profile.company_id} isAdmin={profile.role === 'admin'} />
      <RequestsCard companyId={profile.company_id} />
      <SectionCard title="Where each tax’s figures come from">
        <Stack as="dl" gap={12}>
          {TAX_SOURCES.map(({ tax, text }) => (
            <div key={tax}>
              <Text as="dt" weight="medium">
                {TAX_NAMES[tax]}
              </Text>
              <Text as="dd" tone="quiet">
                {text}
              </Text>
              {(tax === 'vat' || tax === 'sa') && <TaxAuthorisations companyId={profile.company_id} tax={tax} />}
            </div>
          ))}
        </Stack>
      </SectionCard>
    </Stack>
  );
}

/** The number of clients that have authorised the practice, from live data. */
function TaxAuthorisations({ companyId, tax }: { companyId: string; tax: AgentTax }) {
  const { data } = useQuery(apiQuery(syncApi.connectionStatus, { company_id: companyId, tax_type: tax }));
  if (!data || data.authorisations.length === 0) return null;
  return (
    <Text as="dd">
      Clients: <AuthorisationCounts companyId={companyId} tax={tax} counts={data.authorisations} showsAll />
    </Text>
  );
}
