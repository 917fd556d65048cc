/** Edits the client's details. If a colleague has saved in the meantime, the form shows both versions and keeps the user's edits. */
import { clientsApi } from '@portal/contract/clients.ts';
import { mergeFacts } from '@portal/domain/clients/merge-facts.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, apiRequest } from '../../lib/api.ts';
import { useInvalidateClients } from '../../lib/use-invalidate-clients.ts';
import {
  toClientFacts,
  FIELD_LABELS,
  toClientTexts,
  type ClientFieldName,
  type ClientTexts,
} from '../../components/practice/client-fields.tsx';
import { ClientFormDialog, useClientForm } from '../../components/practice/client-form-dialog.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { useToast } from '../../ui/toast.tsx';
import { toClientInput, type ClientIds } from './client-page.ts';
import styles from './edit-client-dialog.module.css';

type LoadedClient = { readonly texts: ClientTexts; readonly version: string };

async function loadClient(ids: ClientIds): Promise<LoadedClient> {
  const { client_id: _id, status: _status, version, ...facts } = await apiRequest(clientsApi.find, toClientInput(ids));
  return { texts: toClientTexts(facts), version };
}

export function EditClientDialog({ ids, onClose }: { ids: ClientIds; onClose: () => void }) {
  // Loaded again each time the dialog opens, so that edits start from the current details.
  const query = useQuery({
    queryKey: ['edit-client', ids.clientId],
    queryFn: () => loadClient(ids),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (query.data) return <EditClientForm ids={ids} known={query.data} onClose={onClose} />;
  return (
    <ModalDialog open heading="Edit details" onClose={onClose}>
      <LoadState query={query} skeleton={<CardSkeleton lines={8} />}>
        {() => null}
      </LoadState>
    </ModalDialog>
  );
}

/** The version that a colleague saved while this form was open. */
type ConcurrentEdit = {
  readonly who: string;
  readonly updatedFields: readonly ClientFieldName[];
  readonly conflictingFields: readonly ClientFieldName[];
  readonly theirTexts: ClientTexts;
};

function EditClientForm({ ids, known, onClose }: { ids: ClientIds; known: LoadedClient; onClose: () => void }) {
  const form = useClientForm(`client ${ids.clientId} ${known.version}`, known.texts);
  const { texts, setTexts } = form;
  const [baseClient, setBaseClient] = useState(known);
  const [concurrentEdit, setConcurrentEdit] = useState<ConcurrentEdit>();
  const invalidateClients = useInvalidateClients();
  const toast = useToast();
  const save = useMutation({
    mutationFn: () => apiRequest(clientsApi.edit, { ...toClientInput(ids), version: baseClient.version, ...toClientFacts(texts) }),
    onSuccess: async () => {
      await invalidateClients();
      toast('success', 'Details saved');
      form.deleteDraft();
      onClose();
    },
    onError: async (error) => {
      if (!isEditConflict(error)) return;
      const conflictingClient = await loadClient(ids);
      const {
        merged,
        updatedByOther: updatedFields,
        conflicts: conflictingFields,
      } = mergeFacts(baseClient.texts, texts, conflictingClient.texts);
      setConcurrentEdit({
        who: error.message.replace(/ changed this client.*$/, ''),
        updatedFields,
        conflictingFields,
        theirTexts: conflictingClient.texts,
      });
      setTexts(merged);
      setBaseClient(conflictingClient);
    },
  });
  const isChanged = Object.entries(texts).some(([name, text]) => baseClient.texts[name as ClientFieldName] !== text);
  return (
    <ClientFormDialog
      heading="Edit details"
      form={form}
      save={{ ...save, mutate: () => save.mutate() }}
      labels={{ save: 'Save details', cancel: 'Cancel', rejected: 'We couldn’t save these details' }}
      isChanged={isChanged}
      isErrorShownAbove={isEditConflict(save.error)}
      above={
        concurrentEdit && (
          <ConcurrentEditNotice
            concurrentEdit={concurrentEdit}
            ownTexts={texts}
            take={(name) => setTexts({ ...texts, [name]: concurrentEdit.theirTexts[name] })}
          />
        )
      }
      onClose={onClose}
    />
  );
}

const isEditConflict = (error: unknown): error is ApiError => error instanceof ApiError && error.code === 'client.changed_since';

type ConcurrentEditNoticeProps = { concurrentEdit: ConcurrentEdit; ownTexts: ClientTexts; take: (name: ClientFieldName) => void };

function ConcurrentEditNotice({
  concurrentEdit: { who, updatedFields, conflictingFields, theirTexts },
  ownTexts,
  take,
}: ConcurrentEditNoticeProps) {
  const place = useRef<HTMLDivElement>(null);
  // The save button is at the bottom of a long form, so scroll the notice into view.
  // The braces matter: in newer browsers scrollIntoView returns a promise, which React would take for a clean-up function.
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'center' });
  }, []);
  const unresolvedFields = conflictingFields.filter((name) => ownTexts[name] !== theirTexts[name]);
  return (
    <div ref={place} className={styles.notice}>
      <Notice tone="warning" title={`${who} changed this client while you were editing it`} role="alert">
        <Text>
          Nothing is saved yet, and what you entered is still here. Check the details, then save.
          {updatedFields.length > 0 && ` Changed by ${who}: ${updatedFields.map((name) => FIELD_LABELS[name]).join(', ')}.`}
        </Text>
        {unresolvedFields.length > 0 && (
          <ul className={styles.conflicts}>
            {unresolvedFields.map((name) => (
              <li key={name}>
                {FIELD_LABELS[name]}: yours is “{ownTexts[name] || 'empty'}”, theirs is “{theirTexts[name] || 'empty'}”.{' '}
                <TextLink onClick={() => take(name)}>Use theirs</TextLink>
              </li>
            ))}
          </ul>
        )}
      </Notice>
    </div>
  );
}
