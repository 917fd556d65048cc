import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { PAGES } from '@portal/contract/pages.ts';
import { NavLink } from 'react-router';
import { Bar } from './bar.tsx';
import { WebsiteLogo } from './website-logo.tsx';

const OPERATOR_PAGES = [
  { label: 'Queues', path: PAGES.adminQueues.path },
  { label: 'Ledger', path: PAGES.adminLedger.path },
  { label: 'Profile', path: PAGES.profile.path },
  // On a phone there is no room for it: the profile has it.
  { label: 'Log out', path: PAGES.logout.path, onlyWide: true },
];

/** The operators' pages: their few ways, side by side. */
export function OperatorHeader() {
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
