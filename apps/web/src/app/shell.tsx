/** The frame of every page: skip link, sandbox banner, the header that suits the page, the page. */
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { findPage } from '@portal/contract/pages.ts';
import { Outlet, useLocation } from 'react-router';
import { NotFoundScreen } from './not-found-screen.tsx';
import { PageHeader } from './page-header.tsx';
import { OfflineNote } from './offline-note.tsx';
import { SandboxBanner } from './sandbox-banner.tsx';
import { SessionProvider, useSession } from './session.tsx';

export function Shell() {
  return (
    <SessionProvider>
      <Frame />
    </SessionProvider>
  );
}

function Frame() {
  const { pathname } = useLocation();
  const { session } = useSession();
  const page = findPage(pathname);
  const isForOperators = page?.access === 'operator';
  // Whoever is no operator sees what anybody sees at a path that does not exist.
  const isHidden = isForOperators && session.status === 'signed_in' && session.person.is_operator !== true;
  const isWaiting = isForOperators && session.status === 'checking';
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', minHeight: '100dvh' }}>
      <SkipLink />
      <SandboxBanner />
      <PageHeader page={isHidden ? undefined : page} />
      <OfflineNote />
      {isHidden ? <NotFoundScreen /> : isWaiting ? null : <Outlet />}
    </Box>
  );
}

function SkipLink() {
  return (
    <Link
      href="#main"
      onClick={(event) => {
        event.preventDefault();
        document.getElementById('main')?.focus();
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
