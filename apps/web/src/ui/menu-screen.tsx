import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { getEntryProps, EntryLabel, type MenuEntry } from './menu-entry.tsx';

type MenuScreenProps = {
  heading?: string;
  headingLevel?: 'h1' | 'h2' | 'h3';
  /** Whether there is a divider between the heading and the list. */
  divided?: boolean;
  entries: readonly MenuEntry[];
  /** Called after an entry was chosen, so that a menu that covers the page can close. */
  onChosen?: () => void;
};

/**
 * A menu that fills its container: heading, optional divider and a list of outlined buttons (docs/product/specification.md section 2.6).
 */
export function MenuScreen({ heading = 'Menu', headingLevel = 'h2', divided = false, entries, onChosen }: MenuScreenProps) {
  const id = useId();
  return (
    <Box component="nav" aria-labelledby={id} sx={{ width: '100%', maxWidth: 'xl', mx: 'auto', px: { xs: 2, sm: 3 }, py: 3 }}>
      <Typography id={id} component={headingLevel} variant="h2" sx={{ textAlign: 'center' }}>
        {heading}
      </Typography>
      {divided && <Divider sx={{ mt: 2 }} />}
      <Box
        component="ul"
        // Safari drops the list role of lists without bullets.
        role="list"
        sx={{ listStyle: 'none', m: 0, mt: 3, p: 0, display: 'flex', flexDirection: 'column', alignItems: 'center', gap: 1.5 }}
      >
        {entries.map((entry) => (
          <Box component="li" key={entry.label} sx={{ width: '100%', maxWidth: 300 }}>
            <Button fullWidth variant="outlined" color="secondary" {...getEntryProps(entry, onChosen)} sx={{ gap: 1 }}>
              <EntryLabel entry={entry} />
            </Button>
          </Box>
        ))}
      </Box>
    </Box>
  );
}
