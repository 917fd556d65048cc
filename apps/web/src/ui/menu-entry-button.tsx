import type { ButtonLook } from './button-look.ts';
import { Button } from './button.tsx';
import { EntryLabel, type MenuEntry } from './menu-entry.tsx';

type MenuEntryButtonProps = ButtonLook & { entry: MenuEntry; onChosen: (() => void) | undefined; className?: string | undefined };

/** A menu item as a button. An item with a URL is rendered as a link, so that users can open it in a new tab or copy it. */
export function MenuEntryButton({ entry, onChosen, ...look }: MenuEntryButtonProps) {
  const commonProps = {
    ...look,
    'aria-current': entry.isCurrent === true ? ('page' as const) : undefined,
    children: <EntryLabel entry={entry} />,
  };
  if ('to' in entry) return <Button {...commonProps} to={entry.to} onClick={onChosen} />;
  if ('href' in entry) {
    const target = entry.opensNewTab === true ? { target: '_blank', rel: 'noreferrer' } : {};
    return <Button {...commonProps} {...target} href={entry.href} onClick={onChosen} />;
  }
  const choose = () => {
    onChosen?.();
    entry.onChoose();
  };
  return <Button {...commonProps} disabled={entry.disabled === true} onClick={choose} />;
}
