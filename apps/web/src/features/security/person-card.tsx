import { PAGES } from '@portal/contract/pages.ts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import { useSession } from '../../core/session.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { PhoneVerification } from '../../ui/phone-verification.tsx';
import { EmailVerification } from './email-verification.tsx';
import { useInvalidateSecurity, type Security } from './use-security.ts';

export function PersonCard({ security }: { security: Security }) {
  const invalidateSecurity = useInvalidateSecurity();
  const { session } = useSession();
  const isOfPractice = session.status === 'signed_in' && session.person.type === 'practice';
  return (
    <SectionCard
      title="You"
      aside={
        <Link component={RouterLink} to={isOfPractice ? PAGES.practiceSettings.path : PAGES.stepAbout.path}>
          Change your name
        </Link>
      }
    >
      <FactList
        facts={[
          { label: 'Full name', value: security.full_name },
          {
            label: 'Email',
            value: (
              <Box
                component="span"
                sx={{ display: 'inline-flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', overflowWrap: 'anywhere' }}
              >
                {security.email}
                {security.email_verified && <StateChip label="Confirmed" icon="check" tone="success" />}
              </Box>
            ),
          },
          {
            label: 'Mobile number',
            value: (
              <Box component="span" sx={{ display: 'inline-flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
                {security.phone ?? 'None yet'}
                {security.phone !== null && security.phone_verified && <StateChip label="Confirmed" icon="check" tone="success" />}
              </Box>
            ),
          },
        ]}
      />
      {!security.email_verified && (
        <Box sx={{ mt: 3, pt: 3, borderTop: 1, borderColor: 'divider' }}>
          <Typography component="h3" variant="h3" sx={{ mb: 1 }}>
            Confirm your email
          </Typography>
          <EmailVerification email={security.email} />
        </Box>
      )}
      {!(security.phone !== null && security.phone_verified) && (
        <Box sx={{ mt: 3, pt: 3, borderTop: 1, borderColor: 'divider' }}>
          <Typography component="h3" variant="h3" sx={{ mb: 1 }}>
            Confirm your mobile number
          </Typography>
          <PhoneVerification phone={security.phone} onConfirmed={invalidateSecurity} />
        </Box>
      )}
    </SectionCard>
  );
}
