/** Saved views of the list: open, save, rename, share and delete. */
import { clientsApi } from '@portal/contract/clients.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { toViewQuery } from './list-params.ts';
import styles from './view-dialog.module.css';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';

type ViewDialogProps = { companyId: string; search: URLSearchParams; onClose: () => void };

export function ViewDialog({ companyId, search, onClose }: ViewDialogProps) {
  const views = useQuery({ ...apiQuery(clientsApi.savedViews, { company_id: companyId }), enabled: companyId !== '' });
  const invalidateViews = useInvalidateViews();
  // Counts saves, so that the form is reset after each one.
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
    <ModalDialog open heading="Views" onClose={onClose} small>
      <Stack gap={24}>
        <Text tone="quiet">
          Save the filters, sort order and columns as a view. Everyone in your practice can use a shared view, but each person sees only
          their own clients in it.
        </Text>
        <Stack as="ul" gap={0} aria-label="Saved views">
          {(views.data?.views ?? []).map((view) => (
            <ViewRow key={view.view_id} companyId={companyId} view={view} onOpen={onClose} />
          ))}
          {views.data?.views.length === 0 && <Text as="li">No saved views yet.</Text>}
        </Stack>
        <ViewForm
          key={savedCount}
          id="view-name"
          label="Save the current list as"
          button="Save view"
          initial={{ name: '', isShared: false }}
          error={save.error}
          isBusy={save.isPending}
          onSave={(nameAndSharing) => save.mutate(nameAndSharing)}
        />
      </Stack>
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
  const viewKey = { company_id: companyId, view_id: view.view_id };
  const change = useMutation({
    mutationFn: ({ name, isShared }: NameAndSharing) => apiRequest(clientsApi.changeView, { ...viewKey, name, is_shared: isShared }),
    onSuccess: async () => {
      await invalidateViews();
      setIsChanging(false);
    },
  });
  const remove = useMutation({ mutationFn: () => apiRequest(clientsApi.removeView, viewKey), onSuccess: invalidateViews });
  return (
    <li className={styles.view}>
      <div className={styles.line}>
        <div className={styles.name}>
          <TextLink to={`${getPageLink('practiceClients', { company_id: companyId })}&${view.query}`} onClick={onOpen}>
            {view.name}
          </TextLink>
          {view.is_shared && <span className={styles.shared}>shared{view.is_yours ? '' : ` by ${view.made_by}`}</span>}
        </div>
        {view.is_yours && (
          <Button size="small" variant="text" aria-expanded={isChanging} onClick={() => setIsChanging(!isChanging)}>
            Edit <HiddenText>the view {view.name}</HiddenText>
          </Button>
        )}
        {view.may_remove && (
          <IconButton label={`Delete the view ${view.name}`} disabled={remove.isPending} onClick={() => remove.mutate()}>
            <Icon name="close" />
          </IconButton>
        )}
      </div>
      {remove.error !== null && (
        <Text role="alert" tone="error">
          {getErrorText(remove.error)}
        </Text>
      )}
      {isChanging && (
        <ViewForm
          id={`view-${view.view_id}`}
          label="View name"
          button="Save"
          initial={{ name: view.name, isShared: view.is_shared }}
          error={change.error}
          isBusy={change.isPending}
          onSave={(nameAndSharing) => change.mutate(nameAndSharing)}
          onCancel={() => setIsChanging(false)}
        />
      )}
    </li>
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
  onSave: (nameAndSharing: NameAndSharing) => void;
  onCancel?: () => void;
};

function ViewForm({ id, label, button, initial, error, isBusy, onSave, onCancel }: ViewFormProps) {
  const [name, setName] = useState(initial.name);
  const [isShared, setIsShared] = useState(initial.isShared);
  const isSame = name.trim() === initial.name && isShared === initial.isShared;
  const missing = getMissingText([name.trim() === '' ? 'Enter a name for the view.' : undefined], !isSame);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (missing === undefined) onSave({ name, isShared });
      }}
    >
      <FieldFrame id={id} label={label} error={error ? getErrorText(error) : undefined}>
        <TextInput id={id} value={name} onChange={(event) => setName(event.target.value)} maxLength={60} />
      </FieldFrame>
      <Checkbox label="Share with your practice" checked={isShared} onChange={() => setIsShared(!isShared)} className={styles.share} />
      <Row gap={8}>
        <SubmitButton
          missing={missing}
          isBusy={isBusy}
          otherActions={
            onCancel && (
              <Button variant="text" onClick={onCancel}>
                Cancel
              </Button>
            )
          }
        >
          {button}
        </SubmitButton>
      </Row>
    </form>
  );
}
