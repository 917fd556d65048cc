/** One menu item: its label and its action. */
import type { ReactNode } from 'react';
import { HiddenText } from './hidden-text.tsx';
import { Icon } from './icon.tsx';

export type MenuEntry = {
  readonly label: string;
  /** Shown beside the label. A meaningful badge needs its own text. */
  readonly badge?: ReactNode;
  /** Whether the item links to the current page. */
  readonly isCurrent?: boolean;
} & (
  | { readonly to: string }
  | { readonly href: string; readonly opensNewTab?: boolean }
  | { readonly onChoose: () => void; readonly disabled?: boolean }
);

/** An item's label and badge, with a hint if it opens a new tab. */
export function EntryLabel({ entry }: { entry: MenuEntry }) {
  return (
    <>
      <span>{entry.label}</span>
      {entry.badge}
      {'href' in entry && entry.opensNewTab === true && (
        <>
          <Icon name="openInNew" size={18} />
          <HiddenText> (opens in a new tab)</HiddenText>
        </>
      )}
    </>
  );
}
