/** Views of the desk: the standard ones with their counts, then saved ones. */
import { deskApi } from '@portal/contract/desk.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Text } from '../../ui/text.tsx';
import { ViewTabs } from '../../ui/view-tabs.tsx';
import { STANDARD_VIEWS, toViewKey } from './desk-params.ts';
import styles from './desk-views.module.css';
import { SubmitButton } from '../../ui/submit-button.tsx';

type Counts = EndpointOutput<typeof deskApi.summary>['views'];

export function DeskViews({ search, counts }: { search: URLSearchParams; counts: Counts | undefined }) {
  const savedViews = useQuery({ ...apiQuery(deskApi.views, {}), staleTime: 60_000 });
  const [isSaving, setIsSaving] = useState(false);
  const currentViewKey = toViewKey(search);
  const desk = getPageLink('adminQueues');
  const views = [
    ...STANDARD_VIEWS.map(({ name, query, count }) => ({ key: name, name, query, count: count && (counts?.[count] ?? null) })),
    ...(savedViews.data?.views ?? []).map(({ view_id: key, name, query }) => ({ key, name, query, count: undefined })),
  ];
  return (
    <div className={styles.bar}>
      <ViewTabs
        current={views.find(({ query }) => toViewKey(new URLSearchParams(query)) === currentViewKey)?.key}
        tabs={views.map(({ key, name, query, count }) => ({ key, name, count, to: query === '' ? desk : `${desk}?${query}` }))}
      />
      <Button size="small" variant="text" onClick={() => setIsSaving(true)}>
        Save view
      </Button>
      {isSaving && <SaveViewDialog search={search} views={savedViews.data?.views ?? []} onClose={() => setIsSaving(false)} />}
    </div>
  );
}

type SaveViewDialogProps = { search: URLSearchParams; views: EndpointOutput<typeof deskApi.views>['views']; onClose: () => void };

function SaveViewDialog({ search, views, onClose }: SaveViewDialogProps) {
  const [name, setName] = useState('');
  const [isShared, setIsShared] = useState(false);
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: [deskApi.views.path] });
  const save = useMutation({
    mutationFn: () => apiRequest(deskApi.saveView, { name, query: search.toString(), is_shared: isShared }),
    onSuccess: () => refresh().then(onClose),
  });
  const remove = useMutation({ mutationFn: (view_id: string) => apiRequest(deskApi.removeView, { view_id }), onSuccess: refresh });
  const error = save.error ?? remove.error;
  return (
    <ModalDialog
      open
      small
      heading="Save view"
      loading={save.isPending}
      onClose={onClose}
      actions={
        <SubmitButton
          missing={name.trim() === '' ? 'Enter a name for the view.' : undefined}
          isBusy={save.isPending}
          onClick={() => save.mutate()}
        >
          Save view
        </SubmitButton>
      }
    >
      <Stack>
        <FieldFrame id="view-name" label="Name" hint="Saves the current search, filters and sort order">
          <TextInput id="view-name" value={name} maxLength={60} onChange={(event) => setName(event.target.value)} />
        </FieldFrame>
        <Checkbox label="Share with all operators" checked={isShared} onChange={() => setIsShared(!isShared)} />
        {error !== null && (
          <Text role="alert" tone="error">
            {getErrorText(error)}
          </Text>
        )}
        {views.some(({ is_yours }) => is_yours) && (
          <Stack as="ul" gap={4} aria-label="Your views">
            {views
              .filter(({ is_yours }) => is_yours)
              .map((view) => (
                <li key={view.view_id}>
                  <Row justify="between" wrap={false}>
                    <Text>
                      {view.name}
                      {view.is_shared && ' (shared)'}
                    </Text>
                    <IconButton label={`Delete view ${view.name}`} onClick={() => remove.mutate(view.view_id)}>
                      <Icon name="close" size={18} />
                    </IconButton>
                  </Row>
                </li>
              ))}
          </Stack>
        )}
      </Stack>
    </ModalDialog>
  );
}
