/** The frame of every page: skip link, sandbox banner, header, alerts, and the page or the open menu. */
import { findPage } from '@portal/contract/pages.ts';
import { lazy, Suspense, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { AlertsArea, AlertsProvider } from '../ui/alerts.tsx';
import { BillingNotice } from './billing-notice.tsx';
import { CentredSpinner } from './centred-spinner.tsx';
import { ConnectionNotices } from './connection-notices.tsx';
import { OpenMenu } from './menu-loader.tsx';
import { MenuProvider, useMenu } from './menu-state.tsx';
import { MENU_ID } from './menu-state.tsx';
import { OfflineNote } from './offline-note.tsx';
import { getPageGate, type PageGate } from '../core/page-gate.ts';
import { PaletteProvider } from './command-palette/palette-state.tsx';
import { PageHeader } from './page-header.tsx';
import { RouteAnnouncer } from './route-announcer.tsx';
import { FactorPrompt } from './factor-prompt.tsx';
import { SandboxBanner } from './sandbox-banner.tsx';
import { ViewingBanner } from './viewing-banner.tsx';
import { SessionProvider, useSession } from '../core/session.tsx';
import { CookieFooter } from './consent-banner.tsx';
import { VisitorWatch } from './visitor-watch.tsx';
import { FooterLinks } from './footer-links.tsx';
import styles from './shell.module.css';

const NotFoundScreen = lazy(() => import('./not-found-screen.tsx').then((file) => ({ default: file.NotFoundScreen })));
const StepLoginScreen = lazy(() => import('./step-login-screen.tsx').then((file) => ({ default: file.StepLoginScreen })));

export function Shell({ children }: { children: ReactNode }) {
  return (
    <SessionProvider>
      <MenuProvider>
        <AlertsProvider>
          <PaletteProvider>
            <Frame>{children}</Frame>
          </PaletteProvider>
        </AlertsProvider>
      </MenuProvider>
    </SessionProvider>
  );
}

function Frame({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const { session } = useSession();
  const isMenuOpen = useMenu()?.isOpen ?? false;
  const page = findPage(pathname);
  const gate = getPageGate(page, pathname, session);
  const isWithheld = gate === 'hidden' || gate === 'waiting';
  return (
    <div className={styles.frame}>
      <SkipLink to={isMenuOpen ? MENU_ID : 'main'} />
      <VisitorWatch />
      <RouteAnnouncer />
      <SandboxBanner />
      <ViewingBanner />
      <FactorPrompt />
      <PageHeader page={gate === 'not_found' ? undefined : page} />
      <OfflineNote />
      {!isWithheld && <BillingNotice page={page} />}
      {!isWithheld && <ConnectionNotices page={page} />}
      <AlertsArea />
      {isMenuOpen && <OpenMenu />}
      {!isMenuOpen && isWithheld && <CentredSpinner label="Loading" />}
      {/* The page stays mounted while the menu is open, so that a half-completed form isn't lost. */}
      <div className={styles.page} hidden={isMenuOpen || isWithheld}>
        <Suspense fallback={<CentredSpinner label="Loading" />}>
          <Content gate={gate}>{children}</Content>
        </Suspense>
      </div>
      {!isMenuOpen && !isWithheld && <FooterLinks page={gate === 'not_found' ? undefined : page} />}
      {/* Don't show the footer below an empty page, because it would move when the content arrives. */}
      {page?.access !== 'operator' && page?.access !== 'enrolling' && !isWithheld && <CookieFooter />}
    </div>
  );
}

function Content({ gate, children }: { gate: PageGate; children: ReactNode }) {
  switch (gate) {
    case 'waiting':
      return null;
    case 'not_found':
      return <NotFoundScreen />;
    case 'asks_login':
      return <StepLoginScreen />;
    case 'hidden':
    case 'open':
      return children;
  }
}

function SkipLink({ to }: { to: string }) {
  return (
    <a
      href={`#${to}`}
      className={styles.skipLink}
      onClick={(event) => {
        event.preventDefault();
        document.getElementById(to)?.focus();
      }}
    >
      Skip to main content
    </a>
  );
}
