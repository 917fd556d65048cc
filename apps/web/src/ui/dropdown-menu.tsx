import { Menu } from '@base-ui/react/menu';
import { useState, type ReactNode } from 'react';
import { Link } from './link.tsx';
import { getButtonClass } from './button-look.ts';
import { IconButton } from './button.tsx';
import styles from './dropdown-menu.module.css';
import { Icon } from './icon.tsx';
import { EntryLabel, type MenuEntry } from './menu-entry.tsx';

export type DropdownMenuProps = {
  /** The button's label, or its accessible name if it shows only an icon. */
  label: string;
  /** An icon or avatar instead of the label. */
  icon?: ReactNode;
  top: readonly MenuEntry[];
  /** Items below the divider. */
  bottom?: readonly MenuEntry[];
  /** Called when the menu opens, for example to load its items. */
  onOpen?: () => void;
  /** Opens the menu immediately. For a menu that is loaded when its button is clicked. */
  startsOpen?: boolean;
};

/** A button that opens a menu with a top and a bottom list of left-aligned text buttons (docs/product/specification.md section 2.6). */
export function DropdownMenu({ label, icon, top, bottom = [], onOpen, startsOpen = false }: DropdownMenuProps) {
  // State instead of a ref, because a menu that starts open is rendered before a ref is set, and would end up outside all landmarks.
  const [container, setContainer] = useState<HTMLSpanElement | null>(null);
  return (
    <span ref={setContainer}>
      <Menu.Root
        // The page behind stays usable, as with a native menu.
        modal={false}
        defaultOpen={startsOpen}
        onOpenChange={(isOpen) => {
          if (isOpen) onOpen?.();
        }}
      >
        {icon === undefined ? (
          <Menu.Trigger className={getButtonClass({ variant: 'text', size: 'small' })}>
            {label}
            <Icon name="chevronDown" size={20} />
          </Menu.Trigger>
        ) : (
          <Menu.Trigger render={<IconButton label={label}>{icon}</IconButton>} />
        )}
        {/* Rendered inside the same landmark as its button, so that screen readers announce where the menu belongs. */}
        <Menu.Portal container={container}>
          <Menu.Positioner
            className={styles.positioner}
            positionMethod="fixed"
            // Icon buttons sit at the right of a header; text buttons at the left of their content.
            align={icon === undefined ? 'start' : 'end'}
            sideOffset={4}
            collisionPadding={16}
          >
            <Menu.Popup className={styles.popup}>
              {top.map((entry) => (
                <Entry key={entry.label} entry={entry} />
              ))}
              {top.length > 0 && bottom.length > 0 && <Menu.Separator className={styles.separator} />}
              {bottom.map((entry) => (
                <Entry key={entry.label} entry={entry} />
              ))}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </span>
  );
}

/** An item with a URL is rendered as a link, so users can open it in a new tab or copy it. */
function Entry({ entry }: { entry: MenuEntry }) {
  const label = <EntryLabel entry={entry} />;
  const current = entry.isCurrent === true ? { 'aria-current': 'page' as const } : {};
  if ('to' in entry) {
    return (
      <Menu.LinkItem {...current} closeOnClick className={styles.entry} render={<Link to={entry.to} />}>
        {label}
      </Menu.LinkItem>
    );
  }
  if ('href' in entry) {
    const target = entry.opensNewTab === true ? { target: '_blank', rel: 'noreferrer' } : {};
    return (
      <Menu.LinkItem {...current} {...target} closeOnClick className={styles.entry} href={entry.href}>
        {label}
      </Menu.LinkItem>
    );
  }
  return (
    <Menu.Item {...current} className={styles.entry} disabled={entry.disabled === true} onClick={entry.onChoose}>
      {label}
    </Menu.Item>
  );
}
