import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useId, useState, type ReactNode } from 'react';
import { getEntryProps, EntryLabel, type MenuEntry } from './menu-entry.tsx';
import { Icon } from './icons.tsx';

/** The popover transition of docs/product/specification.md section 9. */
const POPOVER_MS = 150;

type DropdownMenuProps = {
  /** The button's label, or its accessible name if it shows a picture. */
  label: string;
  /** An icon or avatar instead of the label. */
  icon?: ReactNode;
  top: readonly MenuEntry[];
  /** Separated from the top list by a divider. */
  bottom?: readonly MenuEntry[];
  /** Called when the menu opens, for example to load its entries. */
  onOpen?: () => void;
};

/** A button that opens a menu with a top and a bottom list of left-aligned text buttons (docs/product/specification.md section 2.6). */
export function DropdownMenu({ label, icon, top, bottom = [], onOpen }: DropdownMenuProps) {
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const isOpen = anchor !== null;
  // Picture buttons are at the right of a header; text buttons are at the left of their content.
  const horizontal = icon === undefined ? 'left' : 'right';
  const close = () => setAnchor(null);
  const openerProps = {
    id: `${id}-button`,
    'aria-haspopup': 'menu' as const,
    'aria-expanded': isOpen,
    'aria-controls': isOpen ? `${id}-menu` : undefined,
    onClick: (event: React.MouseEvent<HTMLElement>) => {
      onOpen?.();
      setAnchor(event.currentTarget);
    },
  };
  const renderEntries = (entries: readonly MenuEntry[]) =>
    entries.map((entry) => (
      <MenuItem key={entry.label} {...getEntryProps(entry, close)} sx={ENTRY}>
        <EntryLabel entry={entry} />
      </MenuItem>
    ));
  return (
    <>
      {icon === undefined ? (
        <Button variant="text" size="small" endIcon={<Icon name="chevronDown" />} {...openerProps}>
          {label}
        </Button>
      ) : (
        <IconButton aria-label={label} {...openerProps}>
          {icon}
        </IconButton>
      )}
      <Menu
        id={`${id}-menu`}
        anchorEl={anchor}
        open={isOpen}
        onClose={close}
        transitionDuration={POPOVER_MS}
        anchorOrigin={{ vertical: 'bottom', horizontal: horizontal }}
        transformOrigin={{ vertical: 'top', horizontal: horizontal }}
        slotProps={{
          // MUI renders the menu at the end of the document, outside the page's landmarks.
          root: { role: 'region', 'aria-label': label },
          list: { component: 'div', 'aria-labelledby': `${id}-button` },
          paper: { sx: { minWidth: 220, maxWidth: 'calc(100vw - 32px)', mt: 0.5 } },
        }}
      >
        {renderEntries(top)}
        {top.length > 0 && bottom.length > 0 && <Divider component="div" role="separator" />}
        {renderEntries(bottom)}
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
