/**
 * Views of one page as tabs. They are links, so that each can be shared and revisited. On a phone they wrap to two rows instead of
 * scrolling sideways.
 */
import Box from '@mui/material/Box';
import { Link } from 'react-router';

type PillTabsProps = {
  label: string;
  current: string;
  tabs: readonly { readonly key: string; readonly label: string; readonly to: string }[];
};

export function PillTabs({ label, current, tabs }: PillTabsProps) {
  return (
    <Box component="nav" aria-label={label} sx={{ mb: 3 }}>
      <Box component="ul" sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, listStyle: 'none', m: 0, p: 0 }}>
        {tabs.map((tab) => {
          const isCurrent = tab.key === current;
          return (
            <li key={tab.key}>
              <Box
                component={Link}
                to={tab.to}
                preventScrollReset
                aria-current={isCurrent ? 'page' : undefined}
                sx={{
                  display: 'inline-flex',
                  alignItems: 'center',
                  minHeight: 36,
                  px: 1.75,
                  borderRadius: 5,
                  border: 1,
                  borderColor: isCurrent ? 'primary.tone' : 'control',
                  bgcolor: isCurrent ? 'primary.soft' : 'background.paper',
                  color: isCurrent ? 'primary.tone' : 'text.primary',
                  fontSize: '0.875rem',
                  fontWeight: isCurrent ? 600 : 500,
                  textDecoration: 'none',
                  whiteSpace: 'nowrap',
                  '&:hover': { bgcolor: 'primary.soft' },
                }}
              >
                {tab.label}
              </Box>
            </li>
          );
        })}
      </Box>
    </Box>
  );
}
