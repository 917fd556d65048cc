import { settingsPath } from '@portal/contract/practice.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { syncApi } from '@portal/contract/sync.ts';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { apiQuery } from '../../lib/api.ts';
import { pageLink } from '../../lib/page-link.ts';
import { TAX_NAMES } from '../../lib/tax-names.ts';
import { AgentConnection } from '../../ui/agent-connection.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { RefreshStatus } from '../../ui/refresh-status.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import type { PracticeProfile } from './practice-profile.ts';

const TAX_SOURCES: readonly { readonly tax: Tax; readonly text: string }[] = [
  { tax: 'vat', text: 'Read from HMRC by the connection above, client by client, for those who have authorised you.' },
  { tax: 'sa', text: 'Read from HMRC by the connection above: balance, payments and obligations of those who have authorised you.' },
  {
    tax: 'paye',
    text: 'Not covered by HMRC’s service for agents’ software. You import the statements from HMRC’s own pages; deadlines follow the rules.',
  },
  {
    tax: 'ct',
    text: 'Not covered by HMRC’s service for agents’ software. You import the statements; accounting periods come from Companies House.',
  },
];

/** The practice's connections, and the taxes that HMRC's API doesn't cover. */
export function ConnectionsTab({ profile }: { profile: PracticeProfile }) {
  const codes = [
    { label: 'Corporation tax', value: profile.agent_code_ct },
    { label: 'PAYE', value: profile.agent_code_paye },
    { label: 'Self Assessment', value: profile.agent_code_sa },
  ];
  const practicePath = `${settingsPath('practice')}?${new URLSearchParams({ company_id: profile.company_id })}`;
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)', maxWidth: 760 }}>
      <SectionCard title="HMRC agent services">
        <AgentConnection
          companyId={profile.company_id}
          arn={profile.arn}
          hmrc={profile.hmrc}
          returnTo="settings"
          arnPath={practicePath}
          readOnly={profile.role !== 'admin'}
        />
      </SectionCard>
      <SectionCard
        title="Agent codes"
        aside={
          profile.role === 'admin' && (
            <Link component={RouterLink} to={practicePath}>
              Change
            </Link>
          )
        }
        source="Your clients need them on form 64-8. They connect nothing by themselves."
      >
        <FactList facts={codes.map(({ label, value }) => ({ label, value: value ?? 'None' }))} />
      </SectionCard>
      <RefreshStatus companyId={profile.company_id} isAdmin={profile.role === 'admin'} />
      <SectionCard title="Where the figures of each tax come from">
        <Box component="dl" sx={{ m: 0, display: 'grid', gap: 1.5 }}>
          {TAX_SOURCES.map(({ tax, text }) => (
            <div key={tax}>
              <Typography component="dt" sx={{ fontWeight: 500 }}>
                {TAX_NAMES[tax]}
              </Typography>
              <Typography component="dd" sx={{ m: 0, color: 'text.secondary' }}>
                {text}
              </Typography>
              {(tax === 'vat' || tax === 'sa') && <AuthorisationCounts companyId={profile.company_id} tax={tax} />}
            </div>
          ))}
        </Box>
      </SectionCard>
    </Box>
  );
}

const AUTHORISATION_LABELS: Readonly<Record<string, string>> = {
  authorised: 'authorised',
  expiring: 'ending soon',
  link_sent: 'waiting for the client',
  not_started: 'not asked',
  expired: 'whose link ran out',
  revoked: 'ended',
  suspended: 'suspended',
};

/** How many clients have authorised the practice, from live data. Clients without authorisation are not read. */
function AuthorisationCounts({ companyId, tax }: { companyId: string; tax: Tax }) {
  const { data } = useQuery(apiQuery(syncApi.connectionStatus, { company_id: companyId, tax_type: tax }));
  if (!data || data.authorisations.length === 0) return null;
  const parts = data.authorisations.map(
    ({ status, clients }) => `${clients.toLocaleString('en-GB')} ${AUTHORISATION_LABELS[status] ?? status}`,
  );
  return (
    <Typography component="dd" sx={{ m: 0 }}>
      Clients: {parts.join(', ')}.{' '}
      <Link component={RouterLink} to={pageLink('practiceClients', { company_id: companyId, tax, attention: 'not_authorised' })}>
        See who has not authorised you
      </Link>
    </Typography>
  );
}
