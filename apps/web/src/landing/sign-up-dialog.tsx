/**
 * The sign-up dialog (docs/product/specification.md section 2.1). Clicking outside or pressing Esc doesn't close it, and it has no close
 * button.
 */
import clsx from 'clsx';
import { useEffect, useRef } from 'react';
import { PORTAL_BASE } from '../lib/settings.ts';
import { BrandMark } from '../ui/brand-mark.tsx';
import { getButtonClass } from '../ui/button-look.ts';
import { getTextLinkClass } from '../ui/text-link-look.ts';
import { EmailForm, type StepsSection } from './email-form.tsx';
import { formatFeeLine } from './fee-line.ts';
import styles from './sign-up-dialog.module.css';
import { getSignUpMethods, getProviderPath, type Provider } from './sign-up-methods.ts';
import type { DialogPhase } from './use-dialog-phase.ts';

type SignUpDialogProps = {
  partner: string;
  /** The path prefix of the steps: `signup` for visitors of a partner's own page. */
  stepsSection?: StepsSection;
  phase: DialogPhase;
  close: () => void;
  showDemo: () => void;
};

export function SignUpDialog({ partner, stepsSection = 'steps', phase, close, showDemo }: SignUpDialogProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    // Keep the focus if a visitor started typing before this script ran.
    if (!box.current?.contains(opener)) box.current?.focus({ preventScroll: true });
    return () => {
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, []);
  const methods = getSignUpMethods(partner);
  const email = <EmailForm key="email" close={close} stepsSection={stepsSection} />;
  const providers = <ProviderButtons key="providers" providers={methods.providers} partner={partner} />;
  const divider = (
    <p key="or" className={styles.or}>
      Or
    </p>
  );
  return (
    <div
      className={clsx(styles.backdrop, phase === 'open' && styles.open, phase === 'leaving' && styles.leaving)}
      data-sign-up-dialog={phase}
    >
      <div
        ref={box}
        className={styles.dialog}
        role="dialog"
        aria-modal="true"
        aria-labelledby="sign-up-title"
        aria-describedby="sign-up-fee"
        tabIndex={-1}
      >
        <h1 id="sign-up-title" className={styles.title}>
          Get your VAT refund in as little as 24 hours
        </h1>
        <p className={styles.promise}>Always at least 3 working days faster.</p>
        <p id="sign-up-fee" className={styles.fee}>
          {formatFeeLine(partner)}
        </p>
        <p className={styles.blurb}>
          Activate it in a few short steps: connect HMRC, then add your books and bank account. You don’t pay anything until you accept an
          offer, and the fee comes out of your refund.
        </p>
        {methods.isEmailFirst ? [email, divider, providers] : [providers, divider, email]}
        <div className={styles.more}>
          <p>
            Already have an account?{' '}
            <a href={`${PORTAL_BASE}/v2/auth/login`} className={getTextLinkClass()}>
              Log in
            </a>
          </p>
          <p>
            <button type="button" className={getTextLinkClass({ isButton: true })} onClick={showDemo}>
              See how InstantVAT works in a demo account
            </button>
          </p>
        </div>
      </div>
    </div>
  );
}

const PROVIDER_BUTTON_LOOK = { variant: 'outlined', tone: 'neutral', fit: 'wide', startAligned: true } as const;

function ProviderButtons({ providers, partner }: { providers: readonly Provider[]; partner: string }) {
  return (
    <ul className={styles.providers}>
      {providers.map((provider) => (
        <li key={provider.path}>
          <a className={getButtonClass(PROVIDER_BUTTON_LOOK)} href={`${PORTAL_BASE}${getProviderPath(provider, partner)}`}>
            <BrandMark brand={provider.brand} />
            {provider.label}
          </a>
          {provider.note !== undefined && <p className={styles.note}>{provider.note}</p>}
        </li>
      ))}
    </ul>
  );
}
