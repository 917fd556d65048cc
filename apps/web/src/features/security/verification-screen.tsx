/** Email address and mobile number: what is verified, and how to verify the rest. */
import { PAGES } from '@portal/contract/pages.ts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { PhoneVerification } from '../../ui/phone-verification.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { EmailVerification } from './email-verification.tsx';
import { useInvalidateSecurity, useSecurity } from './use-security.ts';

export function VerificationScreen() {
  const query = useSecurity();
  const invalidateSecurity = useInvalidateSecurity();
  return (
    <Page title="How we reach you" maxWidth="form" lead="We write and text only what your taxes need. Each way is proved once.">
      <LoadState query={query} skeleton={<CardSkeleton lines={5} />}>
        {({ email, email_verified, phone, phone_verified }) => (
          <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
            <VerificationItem title="Email" value={email} isVerified={email_verified}>
              <EmailVerification email={email} />
            </VerificationItem>
            <VerificationItem title="Mobile number" value={phone ?? 'None yet'} isVerified={phone !== null && phone_verified}>
              <PhoneVerification phone={phone} onConfirmed={invalidateSecurity} />
            </VerificationItem>
            <Typography>
              <Link component={RouterLink} to={PAGES.profile.path}>
                Back to your profile
              </Link>
            </Typography>
          </Box>
        )}
      </LoadState>
    </Page>
  );
}

function VerificationItem({
  title,
  value,
  isVerified,
  children,
}: {
  title: string;
  value: string;
  isVerified: boolean;
  children: ReactNode;
}) {
  return (
    <SectionCard title={title} aside={isVerified && <StateChip label="Confirmed" icon="check" tone="success" />}>
      <Typography sx={{ fontWeight: 500, overflowWrap: 'anywhere', mb: isVerified ? 0 : 2 }}>{value}</Typography>
      {!isVerified && children}
    </SectionCard>
  );
}
