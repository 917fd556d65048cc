/** What a line of a menu is, whichever menu it stands in: its words and where it leads. */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { HiddenText } from './hidden-text.tsx';
import { Icon } from './icons.tsx';

export type MenuEntry = {
  readonly label: string;
  /** Beside the words, with words of its own where it carries meaning. */
  readonly badge?: ReactNode;
  /** The page it leads to is the one that is shown. */
  readonly isCurrent?: boolean;
} & (
  | { readonly to: string }
  | { readonly href: string; readonly opensNewTab?: boolean }
  | { readonly onChoose: () => void; readonly disabled?: boolean }
);

/** What makes a button of MUI lead where the entry says: a link where there is an address, so that it can be opened elsewhere and copied. */
export function entryAction(entry: MenuEntry, onChosen?: () => void) {
  const current = entry.isCurrent === true ? { 'aria-current': 'page' as const } : {};
  if ('to' in entry) return { ...current, component: Link, to: entry.to, onClick: onChosen };
  if ('href' in entry) {
    const newTab = entry.opensNewTab === true ? { target: '_blank', rel: 'noreferrer' } : {};
    return { ...current, ...newTab, component: 'a' as const, href: entry.href, onClick: onChosen };
  }
  return {
    ...current,
    component: 'button' as const,
    type: 'button' as const,
    disabled: entry.disabled === true,
    onClick: () => {
      onChosen?.();
      entry.onChoose();
    },
  };
}

/** The words of an entry, its badge, and a word of warning where another tab opens. */
export function EntryWords({ entry }: { entry: MenuEntry }) {
  return (
    <>
      <span>{entry.label}</span>
      {entry.badge}
      {'href' in entry && entry.opensNewTab === true && (
        <>
          <Icon name="openInNew" sx={{ fontSize: 18, color: 'text.secondary' }} />
          <HiddenText> (opens in a new tab)</HiddenText>
        </>
      )}
    </>
  );
}
