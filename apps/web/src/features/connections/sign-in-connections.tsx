import type { connectionsApi } from '@portal/contract/connections.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import { pageLink } from '../../lib/page-link.ts';
import { BrandMark } from '../../ui/brand-mark.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { Icon } from '../../ui/icons.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { londonDate } from '@portal/domain/clock.ts';

type SignIn = EndpointOutput<typeof connectionsApi.list>['sign_in'];

const NAMES: Readonly<Record<SignIn['linked'][number]['provider'], string>> = {
  google: 'Google',
  microsoft: 'Microsoft',
  xero: 'Xero',
  intuit: 'Intuit QuickBooks',
  freeagent: 'FreeAgent',
  hmrc: 'HMRC',
};

/** The person's sign-in methods. They are changed in the profile. */
export function SignInConnections({ signIn }: { signIn: SignIn }) {
  const own = [
    ...(signIn.has_password ? ['password'] : []),
    ...(signIn.passkeys > 0 ? [`${signIn.passkeys} ${signIn.passkeys === 1 ? 'passkey' : 'passkeys'}`] : []),
    'emailed link',
  ];
  return (
    <SectionCard
      title="How you sign in"
      aside={
        <Button component={RouterLink} to={pageLink('profile')} variant="outlined" size="small">
          Change in your profile
        </Button>
      }
    >
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1.5 }}>
        <SignInMethod icon={<Icon name="mail" sx={{ color: 'text.secondary' }} />} name={signIn.email} detail={`By ${own.join(', ')}.`} />
        {signIn.linked.map(({ provider, email, linked_at }) => (
          <SignInMethod
            key={provider}
            icon={<BrandMark brand={MARKS[provider]} />}
            name={NAMES[provider]}
            detail={
              <>
                {email === null ? '' : `${email}, `}since <DateText date={londonDate(linked_at)} />. It tells us who you are and nothing
                more.
              </>
            }
          />
        ))}
      </Box>
    </SectionCard>
  );
}

const MARKS = {
  google: 'google',
  microsoft: 'microsoft',
  xero: 'xero',
  intuit: 'quickbooks',
  freeagent: 'freeagent',
  hmrc: 'hmrc',
} as const;

function SignInMethod({ icon, name, detail }: { icon: React.ReactNode; name: string; detail: React.ReactNode }) {
  return (
    <Box component="li" sx={{ display: 'flex', gap: 2 }}>
      {icon}
      <Box sx={{ minWidth: 0 }}>
        <Typography sx={{ fontWeight: 500, overflowWrap: 'anywhere' }}>{name}</Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {detail}
        </Typography>
      </Box>
    </Box>
  );
}
