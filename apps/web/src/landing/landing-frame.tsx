/** Header and footer of the prerendered landing pages: those of partners and that of OpenTax. */
import { PAGES } from '@portal/contract/pages.ts';
import type { ReactNode } from 'react';
import { openCookieChoices } from '../lib/request-consent.ts';
import { PORTAL_BASE } from '../lib/settings.ts';
import { LogoMark } from '../ui/logo-mark.tsx';
import { useLoggedIn } from './use-logged-in.ts';

type LandingFrameProps = {
  brand: string;
  /** The partner shown beside our own name. */
  partnerName: string | undefined;
  /** The first line of the footer: who we are and for whom. */
  about: string;
  helpPath: string;
  contactPath: string;
  children: ReactNode;
};

export function LandingFrame({ brand, partnerName, about, helpPath, contactPath, children }: LandingFrameProps) {
  const isLoggedIn = useLoggedIn();
  return (
    <div className="door">
      <header className="door-header">
        <p className="door-brands">
          <span className="logo">
            <LogoMark />
            {brand}
          </span>
          {partnerName !== undefined && (
            <>
              <span className="door-with">with</span>
              <span className="logo">{partnerName}</span>
            </>
          )}
        </p>
        {isLoggedIn ? (
          <a className="door-login" href={`${PORTAL_BASE}${PAGES.home.path}`}>
            Go to your home page
          </a>
        ) : (
          <a className="door-login" href={`${PORTAL_BASE}${PAGES.loginV2.path}`}>
            Log in
          </a>
        )}
      </header>
      <main className="door-main">{children}</main>
      <footer className="door-footer">
        <p>{about}</p>
        <p>
          <a href={`${PORTAL_BASE}${helpPath}`}>Help</a> <a href={`${PORTAL_BASE}${PAGES.privacy.path}`}>Privacy</a>{' '}
          <a href={`${PORTAL_BASE}${contactPath}`}>Contact us</a>{' '}
          <button type="button" className="text-button" onClick={openCookieChoices}>
            Cookie choices
          </button>
        </p>
      </footer>
    </div>
  );
}
