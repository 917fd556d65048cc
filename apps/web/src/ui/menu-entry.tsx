/** One entry of any menu: its label and its action. */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { HiddenText } from './hidden-text.tsx';
import { Icon } from './icons.tsx';

export type MenuEntry = {
  readonly label: string;
  /** Shown beside the label. Needs its own text if it carries meaning. */
  readonly badge?: ReactNode;
  /** Whether the entry links to the current page. */
  readonly isCurrent?: boolean;
} & (
  | { readonly to: string }
  | { readonly href: string; readonly opensNewTab?: boolean }
  | { readonly onChoose: () => void; readonly disabled?: boolean }
);

/**
 * Props that make an MUI button perform the entry's action. An entry with an address is a link, so that it can be opened in a new tab and
 * copied.
 */
export function getEntryProps(entry: MenuEntry, onChosen?: () => void) {
  const currentProps = entry.isCurrent === true ? { 'aria-current': 'page' as const } : {};
  if ('to' in entry) return { ...currentProps, component: Link, to: entry.to, onClick: onChosen };
  if ('href' in entry) {
    const newTab = entry.opensNewTab === true ? { target: '_blank', rel: 'noreferrer' } : {};
    return { ...currentProps, ...newTab, component: 'a' as const, href: entry.href, onClick: onChosen };
  }
  return {
    ...currentProps,
    component: 'button' as const,
    type: 'button' as const,
    disabled: entry.disabled === true,
    onClick: () => {
      onChosen?.();
      entry.onChoose();
    },
  };
}

/** The label of an entry, its badge, and a hint if it opens a new tab. */
export function EntryLabel({ entry }: { entry: MenuEntry }) {
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
