/** The login page: prerendered and without MUI, router or queries, because it is the page that people wait for most often. */
import { PAGES } from '@portal/contract/pages.ts';
import { useSyncExternalStore } from 'react';
import { PORTAL_BASE } from '../lib/settings.ts';
import { readProviderOutcome } from '../lib/sign-in-providers.ts';
import { LogoMark } from '../ui/logo-mark.tsx';
import { OtherWays } from './other-ways.tsx';
import { PasswordForm } from './password-form.tsx';

type LoginPageProps = {
  brand: string;
  sandbox: string;
  /** At /v2/auth/login, where a small screen shows no header (specification 2.6). */
  isV2: boolean;
};

const LANDING = `${PORTAL_BASE}${PAGES.instantVatLanding.path}`;
const OPEN_TAX = `${PORTAL_BASE}${PAGES.openTaxLanding.path}`;

export function LoginPage({ brand, sandbox, isV2 }: LoginPageProps) {
  return (
    <div className="login">
      <a className="skip" href="#main">
        Skip to the content
      </a>
      {/* Always in the page, hidden by its style where there is no sandbox: the server knows the address only after this is drawn. */}
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
        <OtherWays />
        <p className="after">
          New here? <a href={LANDING}>See how InstantVAT works and sign up</a>, or{' '}
          <a href={OPEN_TAX}>what OpenTax does for your practice</a>
        </p>
      </main>
    </div>
  );
}

const never = () => () => undefined;

/** What came of signing in at a provider, when the browser is just back from it. Drawn in the browser only: the built page knows no query. */
function Outcome() {
  const search = useSyncExternalStore(
    never,
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
