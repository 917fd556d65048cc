import { settingsPath } from '@portal/contract/practice.ts';
import type { Tax } from '@portal/domain/uk-tax/references/hmrc-bank-account.ts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import { TAX_NAMES } from '../../lib/tax-names.ts';
import { AgentGrant } from '../../ui/agent-grant.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import type { PracticeProfile } from './practice-profile.ts';

const WAYS: readonly { readonly tax: Tax; readonly text: string }[] = [
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

/** What the practice is connected to, and what HMRC does not offer. */
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
        <AgentGrant
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
      <SectionCard title="Where the figures of each tax come from">
        <Box component="dl" sx={{ m: 0, display: 'grid', gap: 1.5 }}>
          {WAYS.map(({ tax, text }) => (
            <div key={tax}>
              <Typography component="dt" sx={{ fontWeight: 500 }}>
                {TAX_NAMES[tax]}
              </Typography>
              <Typography component="dd" sx={{ m: 0, color: 'text.secondary' }}>
                {text}
              </Typography>
            </div>
          ))}
        </Box>
      </SectionCard>
    </Box>
  );
}
