import clsx from 'clsx';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { getTextLinkClass } from '../../ui/text-link-look.ts';
import styles from './demo-banner.module.css';

type DemoBannerProps = {
  openSignUp: () => void;
  /** Whether the sign-up dialog is open, in which case the banner is hidden. */
  isDialogOpen: boolean;
};

/** The demo banner (docs/product/specification.md section 2.6). */
export function DemoBanner({ openSignUp, isDialogOpen }: DemoBannerProps) {
  return (
    <aside className={clsx(styles.banner, isDialogOpen && styles.hidden)} aria-label="Demo mode">
      <div className={styles.clip}>
        <div className={styles.content}>
          <p>
            <strong>{"You're in demo mode – this is a preview of InstantVAT"}</strong>
          </p>
          <p>
            {"You're seeing dummy data. To view your real VAT account"}{' '}
            <button type="button" className={getTextLinkClass({ isButton: true })} onClick={openSignUp}>
              Sign Up
            </button>{' '}
            or{' '}
            <a href={`${PORTAL_BASE}/login`} className={getTextLinkClass()}>
              Login
            </a>
          </p>
        </div>
      </div>
    </aside>
  );
}
