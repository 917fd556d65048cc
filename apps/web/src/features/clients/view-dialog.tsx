/** Saved views of the list: open, save, rename, share and delete. */
import { clientsApi } from '@portal/contract/clients.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { pageLink } from '../../lib/page-link.ts';
import { FieldFrame } from '../../ui/form-field.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { toViewQuery } from './list-params.ts';

type ViewDialogProps = { companyId: string; search: URLSearchParams; open: boolean; onClose: () => void };

export function ViewDialog({ companyId, search, open, onClose }: ViewDialogProps) {
  const views = useQuery({ ...apiQuery(clientsApi.savedViews, { company_id: companyId }), enabled: open && companyId !== '' });
  const invalidateViews = useInvalidateViews();
  // Counts saved views, so that the form is reset after each.
  const [savedCount, setSavedCount] = useState(0);
  const save = useMutation({
    mutationFn: ({ name, isShared }: NameAndSharing) =>
      apiRequest(clientsApi.saveView, { company_id: companyId, name, query: toViewQuery(search), is_shared: isShared }),
    onSuccess: () => {
      setSavedCount(savedCount + 1);
      return invalidateViews();
    },
  });
  return (
    <ModalDialog open={open} heading="Views" onClose={onClose} small>
      <Typography sx={{ mb: 2, color: 'text.secondary' }}>
        A view keeps filters, order and columns under a name. A shared one is seen by everybody in the practice; it finds each person’s own
        clients.
      </Typography>
      <Box component="ul" aria-label="Saved views" sx={{ listStyle: 'none', m: 0, p: 0, mb: 3 }}>
        {(views.data?.views ?? []).map((view) => (
          <ViewRow key={view.view_id} companyId={companyId} view={view} onOpen={onClose} />
        ))}
        {views.data?.views.length === 0 && <Typography component="li">You have none yet.</Typography>}
      </Box>
      <ViewForm
        key={savedCount}
        id="view-name"
        label="Keep the present list as"
        button="Keep this view"
        initial={{ name: '', isShared: false }}
        error={save.error}
        isBusy={save.isPending}
        onSave={(given) => save.mutate(given)}
      />
    </ModalDialog>
  );
}

function useInvalidateViews(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: [clientsApi.savedViews.path] });
}

type View = EndpointOutput<typeof clientsApi.savedViews>['views'][number];

function ViewRow({ companyId, view, onOpen }: { companyId: string; view: View; onOpen: () => void }) {
  const invalidateViews = useInvalidateViews();
  const [isChanging, setIsChanging] = useState(false);
  const of = { company_id: companyId, view_id: view.view_id };
  const change = useMutation({
    mutationFn: ({ name, isShared }: NameAndSharing) => apiRequest(clientsApi.changeView, { ...of, name, is_shared: isShared }),
    onSuccess: async () => {
      await invalidateViews();
      setIsChanging(false);
    },
  });
  const remove = useMutation({ mutationFn: () => apiRequest(clientsApi.removeView, of), onSuccess: invalidateViews });
  return (
    <Box component="li" sx={{ py: 0.5, borderBottom: 1, borderColor: 'divider' }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minHeight: 44 }}>
        <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
          <Link
            component={RouterLink}
            to={`${pageLink('practiceClients', { company_id: companyId })}&${view.query}`}
            onClick={onOpen}
            sx={{ fontWeight: 500 }}
          >
            {view.name}
          </Link>
          {view.is_shared && (
            <Box component="span" sx={{ ml: 1, color: 'text.secondary' }}>
              shared{view.is_yours ? '' : ` by ${view.made_by}`}
            </Box>
          )}
        </Box>
        {view.is_yours && (
          <Button size="small" variant="text" aria-expanded={isChanging} onClick={() => setIsChanging(!isChanging)}>
            Change<HiddenText> the view {view.name}</HiddenText>
          </Button>
        )}
        {view.may_remove && (
          <IconButton aria-label={`Remove the view ${view.name}`} disabled={remove.isPending} onClick={() => remove.mutate()}>
            <Icon name="close" />
          </IconButton>
        )}
      </Box>
      {remove.error !== null && (
        <Box role="alert" sx={{ color: 'error.tone' }}>
          {errorText(remove.error)}
        </Box>
      )}
      {isChanging && (
        <ViewForm
          id={`view-${view.view_id}`}
          label="Name of the view"
          button="Save"
          initial={{ name: view.name, isShared: view.is_shared }}
          error={change.error}
          isBusy={change.isPending}
          onSave={(given) => change.mutate(given)}
          onCancel={() => setIsChanging(false)}
        />
      )}
    </Box>
  );
}

type NameAndSharing = { readonly name: string; readonly isShared: boolean };

type ViewFormProps = {
  id: string;
  label: string;
  button: string;
  initial: NameAndSharing;
  error: Error | null;
  isBusy: boolean;
  onSave: (given: NameAndSharing) => void;
  onCancel?: () => void;
};

function ViewForm({ id, label, button, initial, error, isBusy, onSave, onCancel }: ViewFormProps) {
  const [name, setName] = useState(initial.name);
  const [isShared, setIsShared] = useState(initial.isShared);
  const isSame = name.trim() === initial.name && isShared === initial.isShared;
  return (
    <Box
      component="form"
      onSubmit={(event) => {
        event.preventDefault();
        onSave({ name, isShared });
      }}
    >
      <FieldFrame id={id} label={label} error={error ? errorText(error) : undefined}>
        <OutlinedInput id={id} fullWidth value={name} onChange={(event) => setName(event.target.value)} inputProps={{ maxLength: 60 }} />
      </FieldFrame>
      <FormControlLabel
        label="Share it with the practice"
        control={<Checkbox checked={isShared} onChange={() => setIsShared(!isShared)} />}
        sx={{ display: 'flex', mt: -2, mb: 2 }}
      />
      <Box sx={{ display: 'flex', gap: 1, mb: onCancel ? 2 : 0 }}>
        <Button type="submit" disabled={name.trim() === '' || isSame || isBusy}>
          {button}
        </Button>
        {onCancel && (
          <Button variant="text" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </Box>
    </Box>
  );
}
