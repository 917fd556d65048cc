import { PORTAL_BASE } from '../lib/settings.ts';

/** The demo banner of the specification (2.6); it hides while the sign-up dialog is open. */
export function DemoBanner({ openSignUp }: { openSignUp: () => void }) {
  return (
    <aside className="demo-banner" aria-label="Demo mode">
      <p>
        <strong>{"You're in demo mode – this is a preview of InstantVAT"}</strong>
      </p>
      <p>
        {"You're seeing dummy data. To view your real VAT account"}{' '}
        <button type="button" className="text-button" onClick={openSignUp}>
          Sign Up
        </button>{' '}
        or{' '}
        <a className="text-button" href={`${PORTAL_BASE}/login`}>
          Login
        </a>
      </p>
    </aside>
  );
}
