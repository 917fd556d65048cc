/** Saved views, and which columns the list shows. */
import { clientsApi } from '@portal/contract/clients.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import IconButton from '@mui/material/IconButton';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { ask, call } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { pageLink } from '../../lib/page-link.ts';
import { FieldFrame } from '../../ui/form-field.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import type { ClientColumn } from './client-columns.tsx';
import { viewOf } from './list-address.ts';

type ViewDialogProps = { companyId: string; search: URLSearchParams; open: boolean; onClose: () => void };

export function ViewDialog({ companyId, search, open, onClose }: ViewDialogProps) {
  const client = useQueryClient();
  const question = ask(clientsApi.savedViews, { company_id: companyId });
  const views = useQuery({ ...question, enabled: open && companyId !== '' });
  const [name, setName] = useState('');
  const [isShared, setIsShared] = useState(false);
  const refresh = () => client.invalidateQueries({ queryKey: question.queryKey });
  const save = useMutation({
    mutationFn: () => call(clientsApi.saveView, { company_id: companyId, name, query: viewOf(search), is_shared: isShared }),
    onSuccess: () => {
      setName('');
      return refresh();
    },
  });
  const remove = useMutation({
    mutationFn: (viewId: string) => call(clientsApi.removeView, { company_id: companyId, view_id: viewId }),
    onSuccess: refresh,
  });
  const error = save.error ?? remove.error;
  return (
    <ModalDialog open={open} heading="Views" onClose={onClose} small>
      <Typography sx={{ mb: 2, color: 'text.secondary' }}>
        A view keeps filters, order and columns under a name. A shared one is seen by everybody in the practice; it finds each person’s own
        clients.
      </Typography>
      <Box component="ul" aria-label="Saved views" sx={{ listStyle: 'none', m: 0, p: 0, mb: 3 }}>
        {(views.data?.views ?? []).map((view) => (
          <Box component="li" key={view.view_id} sx={{ display: 'flex', alignItems: 'center', borderBottom: 1, borderColor: 'divider' }}>
            <Button
              component={Link}
              to={`${pageLink('practiceClients', { company_id: companyId })}&${view.query}`}
              onClick={onClose}
              variant="text"
              sx={{ flex: 1, justifyContent: 'flex-start', minWidth: 0, maxWidth: 'none' }}
            >
              {view.name}
              {view.is_shared && (
                <Box component="span" sx={{ ml: 1, color: 'text.secondary', fontWeight: 400 }}>
                  shared{view.is_yours ? '' : ` by ${view.made_by}`}
                </Box>
              )}
            </Button>
            {view.may_remove && (
              <IconButton aria-label={`Remove the view ${view.name}`} onClick={() => remove.mutate(view.view_id)}>
                <Icon name="close" />
              </IconButton>
            )}
          </Box>
        ))}
        {views.data?.views.length === 0 && <Typography component="li">You have none yet.</Typography>}
      </Box>
      <Box
        component="form"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <FieldFrame id="view-name" label="Keep the present list as" error={error ? errorText(error) : undefined}>
          <OutlinedInput
            id="view-name"
            fullWidth
            value={name}
            onChange={(event) => setName(event.target.value)}
            inputProps={{ maxLength: 60 }}
          />
        </FieldFrame>
        <FormControlLabel
          label="Share it with the practice"
          control={<Checkbox checked={isShared} onChange={() => setIsShared(!isShared)} />}
          sx={{ display: 'flex', mt: -2, mb: 2 }}
        />
        <Button type="submit" disabled={name.trim() === '' || save.isPending}>
          Keep this view
        </Button>
      </Box>
    </ModalDialog>
  );
}

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
