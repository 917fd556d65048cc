import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { entryAction, EntryWords, type MenuEntry } from './menu-entry.tsx';

type MenuScreenProps = {
  heading?: string;
  headingLevel?: 'h1' | 'h2' | 'h3';
  /** A line between the heading and the list. */
  divided?: boolean;
  entries: readonly MenuEntry[];
  /** After a link was followed: a menu that covers the page makes way for it. */
  onChosen?: () => void;
};

/** A menu that fills its place: heading, optional divider, a list of outlined buttons (specification 2.6). */
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
        // The role is lost in Safari where a list has no bullets.
        role="list"
        sx={{ listStyle: 'none', m: 0, mt: 3, p: 0, display: 'flex', flexDirection: 'column', alignItems: 'center', gap: 1.5 }}
      >
        {entries.map((entry) => (
          <Box component="li" key={entry.label} sx={{ width: '100%', maxWidth: 300 }}>
            <Button fullWidth variant="outlined" color="secondary" {...entryAction(entry, onChosen)} sx={{ gap: 1 }}>
              <EntryWords entry={entry} />
            </Button>
          </Box>
        ))}
      </Box>
    </Box>
  );
}
