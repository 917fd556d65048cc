import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useRef, useState, type DragEvent } from 'react';
import { Icon } from './icons.tsx';

type DropZoneProps = {
  /** Accessible name of the file input: "Books file". */
  readonly label: string;
  /** For example "Drop your file here". */
  readonly promptText: string;
  readonly upload: (file: File) => void;
  /** There is a file already, so choosing another is a secondary action. */
  readonly hasFile: boolean;
};

/** A zone to drop or choose a file. */
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
    <Box
      onDragOver={(event) => {
        event.preventDefault();
        setIsDragOver(true);
      }}
      onDragLeave={() => setIsDragOver(false)}
      onDrop={onDrop}
      sx={{
        display: 'flex',
        flexDirection: 'column',
        alignItems: 'center',
        gap: 1.5,
        textAlign: 'center',
        p: { xs: 3, sm: 5 },
        border: '2px dashed',
        borderColor: isDragOver ? 'primary.tone' : 'control',
        borderRadius: 1,
        bgcolor: isDragOver ? 'primary.soft' : 'background.default',
      }}
    >
      <Icon name="upload" sx={{ fontSize: 40, color: 'primary.tone' }} />
      <Typography sx={{ fontWeight: 500 }}>{hasFile ? 'Drop another file here' : promptText}</Typography>
      <Button variant={hasFile ? 'outlined' : 'contained'} onClick={() => input.current?.click()}>
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
          // Lets the user choose the same file again after correcting it.
          target.value = '';
          if (file !== undefined) upload(file);
        }}
      />
    </Box>
  );
}
