/** The navigation of OpenTax: the same four sections on each screen. Sections whose page doesn't exist yet are left out. */
import { findPage } from '@portal/contract/pages.ts';
import Box from '@mui/material/Box';
import { Link, useLocation } from 'react-router';

/** `also`: another path that belongs to the section but is not below its path. */
const SECTIONS: readonly { readonly label: string; readonly path: string; readonly also?: string }[] = [
  { label: 'Dashboard', path: '/v2/open-tax/dashboard' },
  { label: 'Clients', path: '/v2/open-tax/clients', also: '/v2/open-tax/client-dashboard' },
  { label: 'Calendar', path: '/v2/open-tax/calendar' },
  { label: 'Settings', path: '/v2/open-tax/settings' },
];

/** `page`: the section's own page. `true`: a page within it, so that its link leads back. */
function getAriaCurrent(pathname: string, { path, also }: (typeof SECTIONS)[number]): 'page' | 'true' | undefined {
  const currentPath = pathname.replace(/\/+$/, '');
  if (currentPath === path) return 'page';
  return currentPath === also || currentPath.startsWith(`${path}/`) ? 'true' : undefined;
}

export function PracticeNav({ companyId }: { companyId: string }) {
  const { pathname } = useLocation();
  return (
    <Box component="nav" aria-label="OpenTax" sx={{ mb: 3, borderBottom: 1, borderColor: 'divider', overflowX: 'auto' }}>
      <Box component="ul" sx={{ display: 'flex', gap: { xs: 0, sm: 1 }, listStyle: 'none', m: 0, p: 0 }}>
        {SECTIONS.filter(({ path }) => findPage(path) !== undefined).map((section) => {
          const { label, path } = section;
          const current = getAriaCurrent(pathname, section);
          const isCurrent = current !== undefined;
          return (
            <li key={path}>
              <Box
                component={Link}
                to={`${path}?${new URLSearchParams({ company_id: companyId })}`}
                aria-current={current}
                sx={{
                  display: 'block',
                  px: { xs: 0.75, sm: 1.5 },
                  fontSize: { xs: '0.9375rem', sm: '1rem' },
                  py: 1.25,
                  color: isCurrent ? 'primary.tone' : 'text.secondary',
                  fontWeight: isCurrent ? 600 : 500,
                  textDecoration: 'none',
                  borderBottom: 3,
                  borderColor: isCurrent ? 'primary.tone' : 'transparent',
                  '&:hover': { color: 'primary.tone' },
                }}
              >
                {label}
              </Box>
            </li>
          );
        })}
      </Box>
    </Box>
  );
}
