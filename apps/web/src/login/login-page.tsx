/** The login page. Prerendered, without the router or queries, because it must load fast. */
import { PAGES } from '@portal/contract/pages.ts';
import clsx from 'clsx';
import { useSyncExternalStore } from 'react';
import { PORTAL_BASE } from '../lib/settings.ts';
import { readProviderOutcome } from '../lib/sign-in-providers.ts';
import { BrandLogo } from '../ui/brand-logo.tsx';
import { Notice } from '../ui/notice.tsx';
import { SandboxNotice, type Sandbox } from '../ui/sandbox-notice.tsx';
import { getTextLinkClass } from '../ui/text-link-look.ts';
import { Heading, Text } from '../ui/text.tsx';
import styles from './login-page.module.css';
import { OtherSignInMethods } from './other-sign-in-methods.tsx';
import { PasswordForm } from './password-form.tsx';

type LoginPageProps = {
  brand: string;
  sandbox: Sandbox;
  /** Whether this is /v2/auth/login, which has no header on small screens (docs/product/specification.md section 2.6). */
  isV2: boolean;
};

const LANDING_PATH = `${PORTAL_BASE}${PAGES.instantVatLanding.path}`;
const OPEN_TAX_PATH = `${PORTAL_BASE}${PAGES.openTaxLanding.path}`;

export function LoginPage({ brand, sandbox, isV2 }: LoginPageProps) {
  return (
    <>
      <a className={clsx(styles.skip, getTextLinkClass())} href="#main">
        Skip to main content
      </a>
      <SandboxNotice {...sandbox} />
      <header className={clsx(styles.header, isV2 && styles.onlyWide)}>
        <a href={LANDING_PATH} target="_blank" rel="noreferrer">
          <BrandLogo name={brand} />
        </a>
      </header>
      <main id="main" tabIndex={-1} className={styles.main}>
        <Heading level={1} className={styles.title}>
          Log in
        </Heading>
        <Outcome />
        <PasswordForm />
        <OtherSignInMethods />
        <Text className={styles.after}>
          New here?{' '}
          <a href={LANDING_PATH} className={getTextLinkClass()}>
            See how InstantVAT works and sign up
          </a>
          , or{' '}
          <a href={OPEN_TAX_PATH} className={getTextLinkClass()}>
            see what OpenTax does for your practice
          </a>
        </Text>
      </main>
    </>
  );
}

const subscribeToNothing = () => () => undefined;

/**
 * The outcome of signing in with a provider, after the redirect back. Rendered only in the browser, because the prerendered page doesn't
 * have a query.
 */
function Outcome() {
  const search = useSyncExternalStore(
    subscribeToNothing,
    () => location.search,
    () => '',
  );
  const outcome = readProviderOutcome(new URLSearchParams(search));
  if (outcome === undefined) return null;
  return (
    <div className={styles.title}>
      <Notice tone={outcome.tone} title={outcome.title} role={outcome.tone === 'error' ? 'alert' : 'status'}>
        {outcome.text}
      </Notice>
    </div>
  );
}
