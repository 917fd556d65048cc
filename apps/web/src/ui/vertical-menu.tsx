import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { getEntryProps, EntryLabel, type MenuEntry } from './menu-entry.tsx';

type VerticalMenuProps = {
  /** Accessible name of the list: "Settings". */
  label: string;
  entries: readonly MenuEntry[];
  onChosen?: () => void;
};

/** A vertical list of text buttons with dividers between them (docs/product/specification.md section 2.6). */
export function VerticalMenu({ label, entries, onChosen }: VerticalMenuProps) {
  return (
    <Box component="nav" aria-label={label}>
      <Box component="ul" role="list" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {entries.map((entry) => (
          <Box component="li" key={entry.label} sx={{ '& + &': { borderTop: 1, borderColor: 'divider' } }}>
            <Button fullWidth variant="text" color="secondary" {...getEntryProps(entry, onChosen)} sx={LINE}>
              <EntryLabel entry={entry} />
            </Button>
          </Box>
        ))}
      </Box>
    </Box>
  );
}

const LINE = {
  maxWidth: 'none',
  gap: 1,
  px: 2,
  justifyContent: 'flex-start',
  textAlign: 'left',
  borderRadius: 0,
  '&[aria-current="page"]': { bgcolor: 'primary.soft', color: 'primary.tone' },
} as const;
