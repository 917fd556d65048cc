/** The login page: prerendered, without MUI, router or queries, because it must load fast. */
import { PAGES } from '@portal/contract/pages.ts';
import { useSyncExternalStore } from 'react';
import { PORTAL_BASE } from '../lib/settings.ts';
import { readProviderOutcome } from '../lib/sign-in-providers.ts';
import { LogoMark } from '../ui/logo-mark.tsx';
import { OtherSignInMethods } from './other-sign-in-methods.tsx';
import { PasswordForm } from './password-form.tsx';

type LoginPageProps = {
  brand: string;
  sandbox: string;
  /** Whether this is /v2/auth/login, which has no header on small screens (docs/product/specification.md section 2.6). */
  isV2: boolean;
};

const LANDING = `${PORTAL_BASE}${PAGES.instantVatLanding.path}`;
const OPEN_TAX = `${PORTAL_BASE}${PAGES.openTaxLanding.path}`;

export function LoginPage({ brand, sandbox, isV2 }: LoginPageProps) {
  return (
    <div className="login">
      <a className="skip" href="#main">
        Skip to main content
      </a>
      {/* The link is always in the markup, because the server knows the sandbox URL only after prerendering. CSS hides it if there is no sandbox. */}
      <aside className="sandbox" data-url={sandbox} aria-label="Sandbox">
        Sandbox: no real money moves, nothing reaches HMRC.{' '}
        <a href={sandbox} target="_blank" rel="noreferrer">
          Open the sandbox
        </a>
      </aside>
      <header className={isV2 ? 'top wide-only' : 'top'}>
        <a className="logo" href={LANDING} target="_blank" rel="noreferrer">
          <LogoMark />
          {brand}
        </a>
      </header>
      <main id="main" tabIndex={-1}>
        <h1>Log in</h1>
        <Outcome />
        <PasswordForm />
        <OtherSignInMethods />
        <p className="after">
          New here? <a href={LANDING}>See how InstantVAT works and sign up</a>, or{' '}
          <a href={OPEN_TAX}>what OpenTax does for your practice</a>
        </p>
      </main>
    </div>
  );
}

const neverChanges = () => () => undefined;

/**
 * The outcome of signing in with a provider, after the browser returned from it. Rendered in the browser only, because the prerendered page
 * has no query.
 */
function Outcome() {
  const search = useSyncExternalStore(
    neverChanges,
    () => location.search,
    () => '',
  );
  const outcome = readProviderOutcome(new URLSearchParams(search));
  if (outcome === undefined) return null;
  return (
    <div className={`notice ${outcome.tone}`} role={outcome.tone === 'error' ? 'alert' : 'status'}>
      <strong>{outcome.title}</strong>
      <p>{outcome.text}</p>
    </div>
  );
}
