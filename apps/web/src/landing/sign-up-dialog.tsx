/** The sign-up dialog (docs/product/specification.md section 2.1). A click outside or Esc does not close it, and it has no close button. */
import { useEffect, useRef } from 'react';
import { PORTAL_BASE } from '../lib/settings.ts';
import { BrandMark } from '../ui/brand-mark.tsx';
import { EmailForm, type StepsSection } from './email-form.tsx';
import { formatFeeLine } from './fee-line.ts';
import { getSignUpMethods, getProviderPath, type Provider } from './sign-up-methods.ts';
import type { DialogPhase } from './use-dialog-phase.ts';

type SignUpDialogProps = {
  partner: string;
  /** The path that contains the steps: `signup` for visitors of a partner's own page. */
  stepsSection?: StepsSection;
  phase: DialogPhase;
  close: () => void;
  showDemo: () => void;
};

export function SignUpDialog({ partner, stepsSection = 'steps', phase, close, showDemo }: SignUpDialogProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    // Keep the focus if a visitor began to type before this script ran.
    if (!box.current?.contains(opener)) box.current?.focus({ preventScroll: true });
    return () => {
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, []);
  const methods = getSignUpMethods(partner);
  const email = <EmailForm key="email" close={close} stepsSection={stepsSection} />;
  const providers = <ProviderButtons key="providers" providers={methods.providers} partner={partner} />;
  const or = (
    <p key="or" className="or">
      Or
    </p>
  );
  return (
    <div className={`backdrop ${phase}`}>
      <div
        ref={box}
        className="dialog"
        role="dialog"
        aria-modal="true"
        aria-labelledby="sign-up-title"
        aria-describedby="sign-up-fee"
        tabIndex={-1}
      >
        <h1 id="sign-up-title">Get your VAT refund in as little as 24 hours</h1>
        <p className="promise">Always at least 3 working days faster.</p>
        <p id="sign-up-fee" className="fee">
          <strong>{formatFeeLine(partner)}</strong>
        </p>
        <p className="blurb">
          Activate it in a few short steps: connect HMRC, add your books and your bank account. You pay nothing until you accept an offer,
          and the fee comes out of the refund.
        </p>
        {methods.emailFirst ? [email, or, providers] : [providers, or, email]}
        <p className="quiet">
          Already have an account? <a href={`${PORTAL_BASE}/v2/auth/login`}>Log in</a>
        </p>
        <p className="quiet">
          <button type="button" className="text-button" onClick={showDemo}>
            See how InstantVAT works in a demo account
          </button>
        </p>
      </div>
    </div>
  );
}

function ProviderButtons({ providers, partner }: { providers: readonly Provider[]; partner: string }) {
  return (
    <ul className="providers">
      {providers.map((provider) => (
        <li key={provider.path}>
          <a className="button brand" href={`${PORTAL_BASE}${getProviderPath(provider, partner)}`}>
            <BrandMark brand={provider.brand} />
            {provider.label}
          </a>
        </li>
      ))}
    </ul>
  );
}
