import './demo-banner.css';
import { PORTAL_BASE } from '../../lib/settings.ts';

type DemoBannerProps = {
  openSignUp: () => void;
  /** Whether the sign-up dialog is open. The banner is hidden then. */
  isDialogOpen: boolean;
};

/** The demo banner (docs/product/specification.md section 2.6). */
export function DemoBanner({ openSignUp, isDialogOpen }: DemoBannerProps) {
  return (
    <aside className={isDialogOpen ? 'demo-banner hidden' : 'demo-banner'} aria-label="Demo mode">
      <div>
        <div>
          <p>
            <strong>{"You're in demo mode – this is a preview of InstantVAT"}</strong>
          </p>
          <p>
            {"You're seeing dummy data. To view your real VAT account"}{' '}
            <button type="button" onClick={openSignUp}>
              Sign Up
            </button>{' '}
            or <a href={`${PORTAL_BASE}/login`}>Login</a>
          </p>
        </div>
      </div>
    </aside>
  );
}
