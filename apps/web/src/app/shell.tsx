/** The frame of every page: skip link, sandbox banner, the header that suits the page, alerts, the page or the menu in its place. */
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { findPage } from '@portal/contract/pages.ts';
import { Outlet, ScrollRestoration, useLocation } from 'react-router';
import { AlertsArea, AlertsProvider } from '../ui/alerts.tsx';
import { NotificationDialogProvider } from '../ui/notification-dialog.tsx';
import { CentredSpinner } from './centred-spinner.tsx';
import { MenuPanel } from './menu-panel.tsx';
import { MenuProvider, useMenu } from './menu-state.tsx';
import { MENU_ID } from './menu-toggle.tsx';
import { NotFoundScreen } from './not-found-screen.tsx';
import { OfflineNote } from './offline-note.tsx';
import { gateOf, type Gate } from './page-gate.ts';
import { PageHeader } from './page-header.tsx';
import { RouteAnnouncer } from './route-announcer.tsx';
import { SandboxBanner } from './sandbox-banner.tsx';
import { SessionProvider, useSession } from './session.tsx';
import { StepDoorScreen } from './step-door-screen.tsx';
import { CookieFooter } from './consent-banner.tsx';
import { VisitorWatch } from './visitor-watch.tsx';

export function Shell() {
  return (
    <SessionProvider>
      <MenuProvider>
        <AlertsProvider>
          <NotificationDialogProvider>
            <Frame />
          </NotificationDialogProvider>
        </AlertsProvider>
        <ScrollRestoration />
      </MenuProvider>
    </SessionProvider>
  );
}

/** The page's height (specification 9): the window's from 360 px; from 768 px the header takes 81 px of it. */
const FULL_HEIGHT = { '@media (min-width:360px)': { minHeight: '100dvh' } };

function Frame() {
  const { pathname } = useLocation();
  const { session } = useSession();
  const isMenuOpen = useMenu()?.isOpen ?? false;
  const page = findPage(pathname);
  const gate = gateOf(page, pathname, session);
  const isWithheld = gate === 'hidden' || gate === 'waiting';
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', ...FULL_HEIGHT }}>
      <SkipLink to={isMenuOpen ? MENU_ID : 'main'} />
      <VisitorWatch />
      <RouteAnnouncer />
      <SandboxBanner />
      <PageHeader page={gate === 'not_found' ? undefined : page} />
      <OfflineNote />
      <AlertsArea />
      {isMenuOpen && <MenuPanel />}
      {!isMenuOpen && isWithheld && <CentredSpinner label="Loading" />}
      {/* Kept while the menu is open, so that a half-filled form is still there afterwards. */}
      <Box sx={{ flex: 1, flexDirection: 'column', display: isMenuOpen || isWithheld ? 'none' : 'flex' }}>
        <Content gate={gate} />
      </Box>
      {/* Not under an empty page: it would be pushed about when the content comes. */}
      {page?.access !== 'operator' && !isWithheld && <CookieFooter />}
    </Box>
  );
}

function Content({ gate }: { gate: Gate }) {
  switch (gate) {
    case 'waiting':
      return null;
    case 'not_found':
      return <NotFoundScreen />;
    case 'asks_login':
      return <StepDoorScreen />;
    case 'hidden':
    case 'open':
      return <Outlet />;
  }
}

function SkipLink({ to }: { to: string }) {
  return (
    <Link
      href={`#${to}`}
      onClick={(event) => {
        event.preventDefault();
        document.getElementById(to)?.focus();
      }}
      sx={{
        position: 'absolute',
        left: 8,
        top: -100,
        zIndex: 'tooltip',
        p: 1.5,
        borderRadius: 1,
        bgcolor: 'background.paper',
        '&:focus': { top: 8 },
      }}
    >
      Skip to the content
    </Link>
  );
}
