import type { ButtonLook } from './button-look.ts';
import { Button } from './button.tsx';
import { EntryLabel, type MenuEntry } from './menu-entry.tsx';

type MenuEntryButtonProps = ButtonLook & { entry: MenuEntry; onChosen: (() => void) | undefined; className?: string | undefined };

/** An entry of a menu as a button. An entry with an address is a link, so that it can be opened in a new tab and copied. */
export function MenuEntryButton({ entry, onChosen, ...look }: MenuEntryButtonProps) {
  const common = {
    ...look,
    'aria-current': entry.isCurrent === true ? ('page' as const) : undefined,
    children: <EntryLabel entry={entry} />,
  };
  if ('to' in entry) return <Button {...common} to={entry.to} onClick={onChosen} />;
  if ('href' in entry) {
    const target = entry.opensNewTab === true ? { target: '_blank', rel: 'noreferrer' } : {};
    return <Button {...common} {...target} href={entry.href} onClick={onChosen} />;
  }
  const choose = () => {
    onChosen?.();
    entry.onChoose();
  };
  return <Button {...common} disabled={entry.disabled === true} onClick={choose} />;
}
