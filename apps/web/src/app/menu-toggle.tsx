import { useEffect, useRef } from 'react';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { loadMenu } from './menu-loader.tsx';
import { useMenu, MENU_ID } from './menu-state.tsx';

/** The headers' menu button. Its icon changes but its name does not, so that screen readers announce "Menu, expanded". */
export function MenuToggle() {
  const menu = useMenu();
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = menu?.isOpen ?? false;
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    // Returns the focus to the button, unless closing the menu has moved it to another element.
    if (wasOpen.current && !isOpen && document.activeElement === document.body) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  if (menu === undefined || !menu.isOffered) return null;
  return (
    <IconButton
      ref={button}
      label="Menu"
      aria-expanded={isOpen}
      aria-controls={isOpen ? MENU_ID : undefined}
      aria-disabled={menu.isLoading && menu.isSmall}
      onClick={menu.toggle}
      onPointerEnter={() => void loadMenu()}
      onFocus={() => void loadMenu()}
    >
      <Icon name={isOpen ? 'close' : 'menu'} />
    </IconButton>
  );
}
