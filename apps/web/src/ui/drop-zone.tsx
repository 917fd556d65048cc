import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useRef, useState, type DragEvent } from 'react';
import { Icon } from './icons.tsx';

type DropZoneProps = {
  /** Accessible name of the file input: "Books file". */
  readonly label: string;
  /** For example "Drop your file here". */
  readonly invitation: string;
  readonly upload: (file: File) => void;
  /** There is a file already, so choosing another is a secondary action. */
  readonly isAnother: boolean;
};

/** A zone to drop or choose a file. */
export function DropZone({ label, invitation, upload, isAnother }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const file = event.dataTransfer.files[0];
    if (file !== undefined) upload(file);
  };
  return (
    <Box
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
      sx={{
        display: 'flex',
        flexDirection: 'column',
        alignItems: 'center',
        gap: 1.5,
        textAlign: 'center',
        p: { xs: 3, sm: 5 },
        border: '2px dashed',
        borderColor: isOver ? 'primary.tone' : 'control',
        borderRadius: 1,
        bgcolor: isOver ? 'primary.soft' : 'background.default',
      }}
    >
      <Icon name="upload" sx={{ fontSize: 40, color: 'primary.tone' }} />
      <Typography sx={{ fontWeight: 500 }}>{isAnother ? 'Drop another file here' : invitation}</Typography>
      <Button variant={isAnother ? 'outlined' : 'contained'} onClick={() => input.current?.click()}>
        {isAnother ? 'Choose another file' : 'Choose a file'}
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
