/** The header that suits a page (specification 2.6). */
import AppBar from '@mui/material/AppBar';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Toolbar from '@mui/material/Toolbar';
import { PAGES, type Page } from '@portal/contract/pages.ts';
import type { ReactNode } from 'react';
import { NavLink, useLocation } from 'react-router';
import { PORTAL_BASE } from '../lib/settings.ts';
import { useCompanyId } from '../lib/company-id.ts';
import { AvatarLink } from './avatar-link.tsx';
import { HeaderMenu } from './header-menu.tsx';
import { Logo } from './logo.tsx';
import { useCompanyName } from './use-company-name.ts';

export function PageHeader({ page }: { page: Page | undefined }) {
  const path = page?.path ?? '';
  if (page?.header === 'operator') return <OperatorHeader />;
  if (page?.header === 'dashboard') {
    return (
      <Bar>
        <WebsiteLogo />
        <DashboardCorner />
      </Bar>
    );
  }
  // On small screens the v2 pages other than dashboards and landings show no header.
  return (
    <Bar hiddenWhenSmall={path.startsWith('/v2/')}>
      <WebsiteLogo />
      <HeaderMenu />
    </Bar>
  );
}

/** The avatar at the right (specification 2.6), beside it what it does not lead to. */
function DashboardCorner() {
  const { companyId } = useCompanyId();
  const companyName = useCompanyName(companyId);
  return (
    <Box sx={{ display: 'flex', alignItems: 'center' }}>
      <HeaderMenu companyName={companyName} />
      <AvatarLink companyId={companyId} companyName={companyName} />
    </Box>
  );
}

function Bar({ children, hiddenWhenSmall = false }: { children: ReactNode; hiddenWhenSmall?: boolean }) {
  return (
    <AppBar
      position="static"
      elevation={0}
      color="default"
      sx={{
        bgcolor: 'background.paper',
        color: 'text.primary',
        borderBottom: 1,
        borderColor: 'divider',
        display: { xs: hiddenWhenSmall ? 'none' : 'flex', md: 'flex' },
      }}
    >
      <Toolbar sx={{ justifyContent: 'space-between', gap: 2, minHeight: { xs: 56, sm: 64 } }}>{children}</Toolbar>
    </AppBar>
  );
}

/** The logo leads to the website's own page, in a new tab unless we are at /home. */
function WebsiteLogo() {
  const { pathname } = useLocation();
  const opensHere = pathname.includes('/home');
  return (
    <Link
      href={`${PORTAL_BASE}${PAGES.instantVatLanding.path}`}
      underline="none"
      color="inherit"
      sx={{ color: 'text.primary' }}
      {...(opensHere ? {} : { target: '_blank', rel: 'noreferrer' })}
    >
      <Logo />
    </Link>
  );
}

const OPERATOR_PAGES = [
  { label: 'Queues', path: PAGES.adminQueues.path },
  { label: 'Ledger', path: PAGES.adminLedger.path },
  { label: 'Profile', path: PAGES.profile.path },
  // On a phone there is no room for it: the profile has it.
  { label: 'Log out', path: PAGES.logout.path, onlyWide: true },
];

function OperatorHeader() {
  return (
    <Bar>
      <WebsiteLogo />
      <Box component="nav" aria-label="Operators" sx={{ display: 'flex', gap: { xs: 0, sm: 1 } }}>
        {OPERATOR_PAGES.map(({ label, path, onlyWide = false }) => (
          <Button
            key={path}
            component={NavLink}
            to={path}
            end
            variant="text"
            size="small"
            sx={{
              display: { xs: onlyWide ? 'none' : 'inline-flex', sm: 'inline-flex' },
              px: { xs: 0.75, sm: 1.75 },
              minWidth: 0,
              whiteSpace: 'nowrap',
              '&[aria-current="page"]': { bgcolor: 'primary.soft' },
            }}
          >
            {label}
          </Button>
        ))}
      </Box>
    </Bar>
  );
}
