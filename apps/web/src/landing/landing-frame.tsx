/** Header and footer of the prerendered landing pages, for partners and for OpenTax. */
import type { ReactNode } from 'react';
import { PUBLIC_PATHS } from '../lib/public-paths.ts';
import { openCookieChoices } from '../lib/request-consent.ts';
import { PORTAL_BASE } from '../lib/settings.ts';
import { BrandLogo } from '../ui/brand-logo.tsx';
import { getTextLinkClass } from '../ui/text-link-look.ts';
import styles from './landing-frame.module.css';
import { useLoggedIn } from './use-logged-in.ts';

type LandingFrameProps = {
  brand: string;
  /** The partner shown beside our own name. */
  partnerName: string | undefined;
  /** The first line of the footer: who we are and whom we serve. */
  about: string;
  helpPath: string;
  contactPath: string;
  children: ReactNode;
};

export function LandingFrame({ brand, partnerName, about, helpPath, contactPath, children }: LandingFrameProps) {
  const isLoggedIn = useLoggedIn();
  const link = getTextLinkClass();
  return (
    <div className={styles.frame}>
      <header className={styles.header}>
        <p className={styles.brands}>
          <BrandLogo name={brand} />
          {partnerName !== undefined && (
            <>
              <span className={styles.with}>with</span>
              <BrandLogo name={partnerName} hasMark={false} />
            </>
          )}
        </p>
        <p className={styles.login}>
          {isLoggedIn ? (
            <a className={link} href={`${PORTAL_BASE}${PUBLIC_PATHS.home}`}>
              Go to your home page
            </a>
          ) : (
            <a className={link} href={`${PORTAL_BASE}${PUBLIC_PATHS.loginV2}`}>
              Log in
            </a>
          )}
        </p>
      </header>
      <main className={styles.main}>{children}</main>
      <footer className={styles.footer}>
        <p>{about}</p>
        <p className={styles.links}>
          <a className={link} href={`${PORTAL_BASE}${helpPath}`}>
            Help
          </a>
          <a className={link} href={`${PORTAL_BASE}${PUBLIC_PATHS.privacy}`}>
            Privacy
          </a>
          <a className={link} href={`${PORTAL_BASE}${contactPath}`}>
            Contact us
          </a>
          <button type="button" data-cookie-choices className={getTextLinkClass({ isButton: true })} onClick={openCookieChoices}>
            Cookie choices
          </button>
        </p>
      </footer>
    </div>
  );
}
