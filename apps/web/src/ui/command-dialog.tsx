/** A dialog with one field and a list of commands: the arrow keys choose, Enter runs, and the focus stays in the field. */
import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useRef, type ReactNode } from 'react';
import styles from './command-dialog.module.css';
import { HiddenText } from './hidden-text.tsx';
import { Icon, type IconName } from './icon.tsx';

export type CommandItem = {
  readonly key: string;
  readonly label: string;
  readonly icon: IconName;
  /** Secondary text at the end of the line. */
  readonly detail?: string | undefined;
  readonly run: () => void;
};

/** Commands under one heading. */
export type CommandGroup = { readonly value: string; readonly items: readonly CommandItem[] };

type CommandDialogProps = {
  heading: string;
  placeholder: string;
  text: string;
  onType: (text: string) => void;
  groups: readonly CommandGroup[];
  /** Announced when the list changes, for example "3 results". */
  announcement: string;
  /** Shown instead of an empty list, or below an incomplete one. */
  note: ReactNode;
  onClose: () => void;
};

export function CommandDialog({ heading, placeholder, text, onType, groups, announcement, note, onClose }: CommandDialogProps) {
  const input = useRef<HTMLInputElement>(null);
  const hasRun = useRef(false);
  // Each command closes the dialog, so only one runs.
  const run = (item: CommandItem): void => {
    if (hasRun.current) return;
    hasRun.current = true;
    item.run();
  };
  return (
    <Dialog.Root
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Viewport className={styles.viewport}>
          {/* The page that a command opened has the focus, so don't restore it. */}
          <Dialog.Popup className={styles.dialog} initialFocus={input} finalFocus={() => !hasRun.current}>
            <Dialog.Title className={styles.title}>{heading}</Dialog.Title>
            <Autocomplete.Root
              inline
              open
              items={groups}
              // The caller has already filtered and ranked the commands.
              filter={null}
              value={text}
              onValueChange={(value, { reason }) => {
                if (reason !== 'item-press') onType(value);
              }}
              itemToStringValue={({ label }: CommandItem) => label}
              autoHighlight="always"
              keepHighlight
            >
              <div className={styles.field}>
                <Icon name="search" size={22} />
                <Autocomplete.Input
                  ref={input}
                  aria-label={heading}
                  placeholder={placeholder}
                  maxLength={100}
                  className={styles.input}
                  onKeyDown={(event) => {
                    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
                    const first = groups[0]?.items[0];
                    const highlightedItem = findHighlightedItem(event.currentTarget);
                    if (highlightedItem) highlightedItem.click();
                    else if (first) run(first);
                  }}
                />
                <Dialog.Close className={styles.close}>Esc</Dialog.Close>
              </div>
              <Autocomplete.List className={styles.list} aria-label={heading}>
                {(group: CommandGroup) => (
                  <Autocomplete.Group key={group.value} items={group.items} className={styles.group}>
                    <Autocomplete.GroupLabel className={styles.groupLabel}>{group.value}</Autocomplete.GroupLabel>
                    <Autocomplete.Collection>
                      {(item: CommandItem) => (
                        <Autocomplete.Item key={item.key} value={item} className={styles.item} onClick={() => run(item)}>
                          <Icon name={item.icon} size={18} className={styles.icon} />
                          <span className={styles.label}>{item.label}</span>
                          {item.detail !== undefined && <span className={styles.detail}>{item.detail}</span>}
                        </Autocomplete.Item>
                      )}
                    </Autocomplete.Collection>
                  </Autocomplete.Group>
                )}
              </Autocomplete.List>
            </Autocomplete.Root>
            {note !== null && <p className={styles.note}>{note}</p>}
            <HiddenText role="status">{announcement}</HiddenText>
            <p aria-hidden className={styles.keys}>
              <span>
                <kbd>↑</kbd> <kbd>↓</kbd> choose
              </span>
              <span>
                <kbd>Enter</kbd> open
              </span>
              <span>
                <kbd>Esc</kbd> close
              </span>
            </p>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/**
 * The library highlights the first command, and starts listening for Enter, shortly after the list has changed. A fast typist may press
 * Enter before that.
 */
function findHighlightedItem(field: HTMLElement): HTMLElement | null {
  const id = field.getAttribute('aria-activedescendant');
  return id === null ? null : document.getElementById(id);
}
