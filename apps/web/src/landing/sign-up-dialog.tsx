/** The sign-up dialog (specification 2.1): neither a click outside nor Esc closes it, and it has no close button. */
import { termsOn } from '@portal/domain/advances/advance-terms.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { findPartner } from '@portal/domain/partners/partners.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { useEffect, useRef } from 'react';
import { PORTAL_BASE } from '../lib/settings.ts';
import { BrandMark } from '../ui/brand-mark.tsx';
import { EmailForm } from './email-form.tsx';
import { orderSignUpWays, providerUrl, type Provider } from './sign-up-ways.ts';
import type { DialogPhase } from './use-dialog-phase.ts';

type SignUpDialogProps = { partner: string; phase: DialogPhase; close: () => void; showDemo: () => void };

export function SignUpDialog({ partner, phase, close, showDemo }: SignUpDialogProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A visitor who began to type before this script ran keeps the place.
    if (!box.current?.contains(document.activeElement)) box.current?.focus({ preventScroll: true });
  }, []);
  const ways = orderSignUpWays(partner);
  const email = <EmailForm close={close} />;
  const providers = <ProviderButtons providers={ways.providers} partner={partner} />;
  const or = ways.providers.length > 0 && <p className="or">Or</p>;
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
        <p className="promise">Always at least 3 working days faster than waiting for HMRC.</p>
        <p id="sign-up-fee" className="fee">
          <strong>{feeLine(partner)}</strong>
        </p>
        <p className="blurb">
          Activate it in five short steps: connect HMRC, add your books, add your bank account. You pay nothing until you accept an offer,
          and the fee comes out of the refund.
        </p>
        {ways.emailFirst ? [email, or, providers] : [providers, or, email]}
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

function feeLine(partner: string): string {
  // Not by the domain's clock: it brings a calendar library of 20 kB, and terms do not change at the hour between UTC and London.
  const today = plainDate(new Date().toISOString().slice(0, 10));
  const percent = findPartner(partner).feeRateBps / 100;
  const minimum = formatPounds(termsOn(today).minimumFeePence).replace(/\.00$/, '');
  return `${percent}% of your VAT refund, minimum ${minimum}`;
}

function ProviderButtons({ providers, partner }: { providers: readonly Provider[]; partner: string }) {
  if (providers.length === 0) return null;
  return (
    <ul className="providers">
      {providers.map((provider) => (
        <li key={provider.name}>
          <a className="button brand" href={`${PORTAL_BASE}${providerUrl(provider, partner)}`}>
            <BrandMark brand={provider.brand} />
            {provider.label}
          </a>
        </li>
      ))}
    </ul>
  );
}
