import clsx from 'clsx';
import { useRef, useState, type DragEvent } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { Text } from './text.tsx';
import styles from './drop-zone.module.css';

type DropZoneProps = {
  /** Accessible name of the file input, for example "Books file". */
  readonly label: string;
  /** Text in the zone, for example "Drop your file here". */
  readonly promptText: string;
  readonly upload: (file: File) => void;
  /** Whether a file already exists, which makes choosing another a secondary action. */
  readonly hasFile: boolean;
};

/** An area where users can drop a file or choose one. */
export function DropZone({ label, promptText, upload, hasFile }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isDragOver, setIsDragOver] = useState(false);
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsDragOver(false);
    const file = event.dataTransfer.files[0];
    if (file !== undefined) upload(file);
  };
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setIsDragOver(true);
      }}
      onDragLeave={() => setIsDragOver(false)}
      onDrop={onDrop}
      className={clsx(styles.zone, isDragOver && styles.isDragOver)}
    >
      <Icon name="upload" tone="primary" size={40} />
      <Text weight="medium">{hasFile ? 'Drop another file here' : promptText}</Text>
      <Button variant={hasFile ? 'outlined' : 'filled'} onClick={() => input.current?.click()}>
        {hasFile ? 'Choose another file' : 'Choose a file'}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept=".csv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        onChange={({ target }) => {
          const file = target.files?.[0];
          // Lets the user choose the same file again after correcting its content.
          target.value = '';
          if (file !== undefined) upload(file);
        }}
      />
    </div>
  );
}
