import { PAGES } from '@portal/contract/pages.ts';
import { useState, type ReactNode } from 'react';
import { useSession } from '../../core/session.tsx';
import { Button } from '../../ui/button.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { PhoneVerification } from '../../components/companies/phone-verification.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Heading } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { EmailChangeForm, PendingEmailChange } from './email-change.tsx';
import { EmailVerification } from './email-verification.tsx';
import styles from './person-card.module.css';
import { useInvalidateSecurity, type Security } from './use-security.ts';

export function PersonCard({ security }: { security: Security }) {
  const invalidateSecurity = useInvalidateSecurity();
  const { session } = useSession();
  const isOfPractice = session.status === 'signed_in' && session.person.type === 'practice';
  const [isChangingEmail, setIsChangingEmail] = useState(false);
  const isPhoneVerified = security.phone !== null && security.phone_verified;
  return (
    <SectionCard
      title="Your details"
      aside={<TextLink to={isOfPractice ? PAGES.practiceSettings.path : PAGES.stepAbout.path}>Change your name</TextLink>}
    >
      <FactList
        facts={[
          { label: 'Full name', value: security.full_name },
          {
            label: 'Email',
            value: (
              <Row as="span" gap={8}>
                <ContactValue value={security.email} isVerified={security.email_verified} />
                {!isChangingEmail && security.email_change === null && (
                  <Button variant="text" size="small" fit="flush" onClick={() => setIsChangingEmail(true)}>
                    Change<HiddenText> your email</HiddenText>
                  </Button>
                )}
              </Row>
            ),
          },
          { label: 'Mobile number', value: <ContactValue value={security.phone ?? 'Not added yet'} isVerified={isPhoneVerified} /> },
        ]}
      />
      {security.email_change !== null && (
        <Verification title="New email">
          <PendingEmailChange email={security.email} change={security.email_change} />
        </Verification>
      )}
      {isChangingEmail && security.email_change === null && (
        <Verification title="Change your email">
          <EmailChangeForm close={() => setIsChangingEmail(false)} />
        </Verification>
      )}
      {!security.email_verified && security.email_change === null && (
        <Verification title="Confirm your email">
          <EmailVerification email={security.email} />
        </Verification>
      )}
      {!isPhoneVerified && (
        <Verification title="Confirm your mobile number">
          <PhoneVerification phone={security.phone} onConfirmed={invalidateSecurity} />
        </Verification>
      )}
    </SectionCard>
  );
}

function ContactValue({ value, isVerified }: { value: string; isVerified: boolean }) {
  return (
    <Row as="span" gap={8}>
      {value}
      {isVerified && <StateChip label="Confirmed" icon="check" tone="success" />}
    </Row>
  );
}

function Verification({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap={8} className={styles.verification}>
      <Heading level={3}>{title}</Heading>
      {children}
    </Stack>
  );
}
