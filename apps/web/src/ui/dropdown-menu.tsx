import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useId, useState, type ReactNode } from 'react';
import { entryAction, EntryWords, type MenuEntry } from './menu-entry.tsx';
import { Icon } from './icons.tsx';

/** The specification's popover transition (section 9). */
const POPOVER_MS = 150;

type DropdownMenuProps = {
  /** What the button is called: its words, or what is read of its picture. */
  label: string;
  /** A picture (an icon, an avatar) in place of the words. */
  picture?: ReactNode;
  top: readonly MenuEntry[];
  /** Split from the top list by a divider. */
  bottom?: readonly MenuEntry[];
  /** When it opens: what it shows may have to be read first. */
  onOpen?: () => void;
};

/** A button that opens a menu of a top and a bottom list, each entry a left-aligned text button (specification 2.6). */
export function DropdownMenu({ label, picture, top, bottom = [], onOpen }: DropdownMenuProps) {
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const isOpen = anchor !== null;
  // Pictures stand at the right of a header, words at the left of what they belong to.
  const side = picture === undefined ? 'left' : 'right';
  const close = () => setAnchor(null);
  const opener = {
    id: `${id}-button`,
    'aria-haspopup': 'menu' as const,
    'aria-expanded': isOpen,
    'aria-controls': isOpen ? `${id}-menu` : undefined,
    onClick: (event: React.MouseEvent<HTMLElement>) => {
      onOpen?.();
      setAnchor(event.currentTarget);
    },
  };
  const lines = (entries: readonly MenuEntry[]) =>
    entries.map((entry) => (
      <MenuItem key={entry.label} {...entryAction(entry, close)} sx={ENTRY}>
        <EntryWords entry={entry} />
      </MenuItem>
    ));
  return (
    <>
      {picture === undefined ? (
        <Button variant="text" size="small" endIcon={<Icon name="chevronDown" />} {...opener}>
          {label}
        </Button>
      ) : (
        <IconButton aria-label={label} {...opener}>
          {picture}
        </IconButton>
      )}
      <Menu
        id={`${id}-menu`}
        anchorEl={anchor}
        open={isOpen}
        onClose={close}
        transitionDuration={POPOVER_MS}
        anchorOrigin={{ vertical: 'bottom', horizontal: side }}
        transformOrigin={{ vertical: 'top', horizontal: side }}
        slotProps={{
          // A landmark of its own: it stands at the end of the document, in none of the page's.
          root: { role: 'region', 'aria-label': label },
          list: { component: 'div', 'aria-labelledby': `${id}-button` },
          paper: { sx: { minWidth: 220, maxWidth: 'calc(100vw - 32px)', mt: 0.5 } },
        }}
      >
        {lines(top)}
        {top.length > 0 && bottom.length > 0 && <Divider component="div" role="separator" />}
        {lines(bottom)}
      </Menu>
    </>
  );
}

const ENTRY = {
  width: '100%',
  minHeight: 44,
  gap: 1,
  justifyContent: 'flex-start',
  textAlign: 'left',
  fontWeight: 500,
  whiteSpace: 'normal',
  '&[aria-current="page"]': { bgcolor: 'primary.soft' },
} as const;
