/** Adds clients to a group by name. */
import { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import { clientGroupsApi, type ClientGroup } from '@portal/contract/client-groups.ts';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MoveClientsChoice } from '../../components/practice/move-clients-choice.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { formatClientCount, STATUS_NAMES } from '../../lib/client-labels.ts';
import { useDebouncedText } from '../../lib/use-debounced-text.ts';
import { useInvalidateClients } from '../../lib/use-invalidate-clients.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { SuggestField } from '../../ui/suggest-field.tsx';
import { Text } from '../../ui/text.tsx';
import { useToast } from '../../ui/toast.tsx';

type AddClientsDialogProps = { companyId: string; group: ClientGroup; memberIds: ReadonlySet<string>; onClose: () => void };
type ChosenClient = { readonly id: string; readonly name: string };

export function AddClientsDialog({ companyId, group, memberIds, onClose }: AddClientsDialogProps) {
  const [searchText, setText] = useState('');
  const [chosenClients, setChosen] = useState<readonly ChosenClient[]>([]);
  const [moves, setMoves] = useState(false);
  const invalidateClients = useInvalidateClients();
  const toast = useToast();
  const { found, isFetching } = useFoundClients(companyId, searchText);
  const offeredClients = found.filter(({ client_id: id }) => !memberIds.has(id) && !chosenClients.some((item) => item.id === id));
  const save = useMutation({
    mutationFn: () =>
      apiRequest(clientGroupsApi.addClients, {
        company_id: companyId,
        group_id: group.group_id,
        client_ids: chosenClients.map(({ id }) => id),
        move: moves,
      }),
    onSuccess: async ({ counts }) => {
      toast('success', `${formatClientCount(counts.changed)} added to ${group.name}`);
      onClose();
      await invalidateClients();
    },
  });
  const choose = (key: string): void => {
    const client = offeredClients.find(({ client_id: id }) => id === key);
    if (client) setChosen([...chosenClients, { id: key, name: client.name }]);
    setText('');
  };
  const isSearching = searchText.trim() !== '' && isFetching;
  return (
    <ModalDialog
      open
      small
      heading={`Add clients to ${group.name}`}
      onClose={onClose}
      loading={save.isPending}
      actions={
        <>
          <Button variant="outlined" onClick={onClose} disabled={save.isPending}>
            Cancel
          </Button>
          <SubmitButton
            missing={chosenClients.length === 0 ? 'Choose a client.' : undefined}
            isBusy={save.isPending}
            onClick={() => save.mutate()}
          >
            {chosenClients.length === 0 ? 'Add clients' : `Add ${formatClientCount(chosenClients.length)}`}
          </SubmitButton>
        </>
      }
    >
      <Stack gap={16}>
        <SuggestField
          id="group-client"
          name="client"
          label="Client"
          hint="Type a name or a reference. To add many clients, select them in the client list."
          autoComplete="off"
          value={searchText}
          suggestions={offeredClients.map(({ client_id: key, name, status }) => ({ key, label: name, detail: STATUS_NAMES[status] }))}
          listLabel="Clients"
          loadingText={isSearching ? 'Searching…' : undefined}
          announcement={searchText.trim() === '' || isSearching ? '' : `${formatClientCount(offeredClients.length)} found`}
          note={searchText.trim() !== '' && !isSearching && offeredClients.length === 0 ? 'No other clients match.' : undefined}
          onType={setText}
          onChoose={choose}
          onBlur={() => {}}
        />
        {chosenClients.length > 0 && (
          <Stack as="ul" gap={4} aria-label="Chosen clients">
            {chosenClients.map(({ id, name }) => (
              <Row as="li" key={id} justify="between">
                <Text as="span">{name}</Text>
                <Button variant="text" size="small" onClick={() => setChosen(chosenClients.filter((item) => item.id !== id))}>
                  Remove<HiddenText> {name}</HiddenText>
                </Button>
              </Row>
            ))}
          </Stack>
        )}
        <MoveClientsChoice error={save.error} moves={moves} onChange={setMoves} />
      </Stack>
    </ModalDialog>
  );
}

function useFoundClients(companyId: string, text: string) {
  const q = useDebouncedText(text).trim();
  const query = useQuery({
    ...apiQuery(clientDashboardApi.companies, { company_id: companyId, q, limit: 20 }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  });
  return { found: q === '' ? [] : (query.data?.companies ?? []), isFetching: query.isFetching };
}
