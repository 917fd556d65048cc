/** A button whose menu loads on demand, because the menu's code is large and most visits never open it. */
import { lazy, Suspense, useState, type KeyboardEvent } from 'react';
import { Button, IconButton } from './button.tsx';
import type { DropdownMenuProps } from './dropdown-menu.tsx';
import { Icon } from './icon.tsx';

const loadMenu = () => import('./dropdown-menu.tsx');
const DropdownMenu = lazy(() => loadMenu().then((file) => ({ default: file.DropdownMenu })));

/** Looks and works like `DropdownMenu`. */
export function MenuButton(props: Omit<DropdownMenuProps, 'startsOpen'>) {
  const { label, icon, onOpen } = props;
  const [isRequested, setIsRequested] = useState(false);
  const open = (): void => {
    setIsRequested(true);
    onOpen?.();
  };
  const opener = {
    'aria-haspopup': 'menu' as const,
    'aria-expanded': isRequested,
    onPointerEnter: () => void loadMenu(),
    onFocus: () => void loadMenu(),
    onClick: open,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      open();
    },
  };
  const button =
    icon === undefined ? (
      <Button variant="text" size="small" {...opener}>
        {label}
        <Icon name="chevronDown" size={20} />
      </Button>
    ) : (
      <IconButton label={label} {...opener}>
        {icon}
      </IconButton>
    );
  if (!isRequested) return button;
  return (
    <Suspense fallback={button}>
      <DropdownMenu {...props} startsOpen />
    </Suspense>
  );
}
