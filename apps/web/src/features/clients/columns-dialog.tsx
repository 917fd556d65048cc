/** Chooses the columns of the list. */
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import type { ClientColumn } from './client-columns.tsx';

type ColumnsDialogProps = {
  columns: readonly ClientColumn[];
  hidden: readonly string[];
  dense: boolean;
  onChange: (changes: Readonly<Record<string, string | undefined>>) => void;
  open: boolean;
  onClose: () => void;
};

export function ColumnsDialog({ columns, hidden, dense, onChange, open, onClose }: ColumnsDialogProps) {
  const toggle = (id: string): void => {
    const next = hidden.includes(id) ? hidden.filter((other) => other !== id) : [...hidden, id];
    onChange({ hide: next.join(',') });
  };
  return (
    <ModalDialog open={open} heading="Columns" onClose={onClose} small>
      <Box component="fieldset" sx={{ border: 0, m: 0, p: 0, display: 'grid', gridTemplateColumns: { sm: '1fr 1fr' } }}>
        <Box component="legend" sx={{ p: 0, mb: 1, color: 'text.secondary' }}>
          What the list shows
        </Box>
        {columns.slice(1).map((column) => (
          <FormControlLabel
            key={column.id}
            label={column.title}
            control={<Checkbox checked={!hidden.includes(column.id)} onChange={() => toggle(column.id)} />}
          />
        ))}
        <FormControlLabel
          label="Dense rows"
          control={<Checkbox checked={dense} onChange={() => onChange({ dense: dense ? undefined : '1' })} />}
        />
      </Box>
    </ModalDialog>
  );
}
