import { PAGES } from '@portal/contract/pages.ts';
import Link from '@mui/material/Link';
import { useLocation } from 'react-router';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { Logo } from '../logo.tsx';

/** The brand's own page. */
const WEBSITE_URL = `${PORTAL_BASE}${PAGES.instantVatLanding.path}`;

/** The logo leads to the website, in a new tab unless the URL contains /home: read of both the link's and the page's, it never opens a second home. */
export function WebsiteLogo({ url = WEBSITE_URL }: { url?: string }) {
  const { pathname } = useLocation();
  const opensHere = url.includes('/home') || pathname.includes('/home');
  return (
    <Link
      href={url}
      underline="none"
      color="inherit"
      sx={{ display: 'inline-flex', color: 'text.primary' }}
      {...(opensHere ? {} : { target: '_blank', rel: 'noreferrer' })}
    >
      <Logo />
    </Link>
  );
}
