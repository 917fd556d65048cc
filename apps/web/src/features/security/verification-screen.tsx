/** The email address and mobile number: which of them are verified, and how to verify the rest. */
import { PAGES } from '@portal/contract/pages.ts';
import type { ReactNode } from 'react';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { PhoneVerification } from '../../components/companies/phone-verification.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { EmailVerification } from './email-verification.tsx';
import styles from './verification-screen.module.css';
import { useInvalidateSecurity, useSecurity } from './use-security.ts';

export function VerificationScreen() {
  const query = useSecurity();
  const invalidateSecurity = useInvalidateSecurity();
  return (
    <Page
      title="Contact details"
      maxWidth="form"
      lead="We only email and text you about your taxes and your account. You only need to confirm each one once."
    >
      <LoadState query={query} skeleton={<CardSkeleton lines={5} />}>
        {({ email, email_verified, phone, phone_verified }) => (
          <Stack gap={24}>
            <VerificationItem title="Email" value={email} isVerified={email_verified}>
              <EmailVerification email={email} />
            </VerificationItem>
            <VerificationItem title="Mobile number" value={phone ?? 'Not added yet'} isVerified={phone !== null && phone_verified}>
              <PhoneVerification phone={phone} onConfirmed={invalidateSecurity} />
            </VerificationItem>
            <Text>
              <TextLink to={PAGES.profile.path}>Back to profile</TextLink>
            </Text>
          </Stack>
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
      <Stack>
        <Text weight="medium" className={styles.value}>
          {value}
        </Text>
        {!isVerified && children}
      </Stack>
    </SectionCard>
  );
}
