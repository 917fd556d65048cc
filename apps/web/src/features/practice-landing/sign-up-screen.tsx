/**
 * Creates an account for someone signing up a practice. An emailed link or a provider completes the account, and then the practice's steps
 * follow.
 */
import { getPracticeStepPath } from '@portal/contract/practice.ts';
import { Navigate } from 'react-router';
import { useSession } from '../../core/session.tsx';
import { getCurrentPartner } from '../../lib/partner.ts';
import { savePostLoginPath } from '../../lib/post-login-path.ts';
import { getProviderSignInUrl, LOGIN_PROVIDERS } from '../../lib/sign-in-providers.ts';
import { AccountingProviderButton } from '../../ui/accounting-provider-button.tsx';
import { BrandButton } from '../../ui/brand-button.tsx';
import { BrandList } from '../../ui/brand-list.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Page } from '../../ui/page.tsx';
import { ProviderNotice } from '../../components/companies/provider-notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { LogInInstead, SignUpAccount } from '../../components/companies/sign-up-account.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { findPracticePartner } from './practice-partner.ts';

const FIRST_STEP = getPracticeStepPath('practice');

export function OpenTaxSignUpScreen() {
  const { session } = useSession();
  // Signed-in users continue with the practice steps.
  if (session.status === 'signed_in') return <Navigate to={FIRST_STEP} replace />;
  const partner = findPracticePartner(getCurrentPartner());
  return (
    <Page
      title="Sign up your practice"
      maxWidth="text"
      lead="Signing up is free, and we don’t send anything to HMRC. There are six short steps, and you can stop and come back at any time."
    >
      <ProviderNotice />
      {session.status === 'checking' ? (
        <CardSkeleton lines={6} />
      ) : (
        <Stack gap={24}>
          <SectionCard title="Use an account you already have">
            <ProviderButtons />
          </SectionCard>
          <SectionCard title="Use your email address">
            <SignUpAccount
              product="open_tax"
              draft="practice-sign-up"
              emailLabel="Work email"
              subject="your practice"
              onSent={() => savePostLoginPath(FIRST_STEP)}
            />
          </SectionCard>
          {partner !== undefined && <Text tone="quiet">{partner.consentText}</Text>}
        </Stack>
      )}
      <LogInInstead />
    </Page>
  );
}

/** HMRC's sign-in can't create an account, because it doesn't identify an individual. */
function ProviderButtons() {
  return (
    <BrandList>
      {LOGIN_PROVIDERS.filter(({ name }) => name !== 'hmrc').map(({ name, brand, displayName }) => (
        <li key={name}>
          {name === 'xero' ? (
            <AccountingProviderButton label={`Sign up with ${displayName}`} href={getProviderSignInUrl(name, { next: FIRST_STEP })} />
          ) : (
            <BrandButton brand={brand} label={`Sign up with ${displayName}`} href={getProviderSignInUrl(name, { next: FIRST_STEP })} />
          )}
        </li>
      ))}
    </BrandList>
  );
}
