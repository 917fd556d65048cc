/** The clients in a group that the user can see, with the figures from the client list. */
import { clientGroupsApi, type ClientGroup } from '@portal/contract/client-groups.ts';
import type { ClientRow } from '@portal/contract/clients.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { getItemName } from '@portal/domain/positions/item-names.ts';
import { useMutation } from '@tanstack/react-query';
import { DateText } from '../../components/formats/date-text.tsx';
import { describeNothingDue, KnownAmount } from '../../components/practice/figures-label.tsx';
import { apiRequest } from '../../lib/api.ts';
import { getClientLink, STATUS_NAMES } from '../../lib/client-labels.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { useInvalidateClients } from '../../lib/use-invalidate-clients.ts';
import { TOO_NARROW_FOR_ACTIONS } from '../../lib/use-media-query.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';

type GroupMembersProps = {
  companyId: string;
  group: ClientGroup;
  clients: readonly ClientRow[];
  today: PlainDate;
  isAdmin: boolean;
};

export function GroupMembers({ companyId, group, clients, today, isAdmin }: GroupMembersProps) {
  const invalidateClients = useInvalidateClients();
  const take = useMutation({
    mutationFn: (clientId: string) =>
      apiRequest(clientGroupsApi.removeClients, { company_id: companyId, group_id: group.group_id, client_ids: [clientId] }),
    onSuccess: invalidateClients,
  });
  if (clients.length === 0) return <Text tone="quiet">No clients are in this group yet.</Text>;
  return (
    <>
      {take.error && (
        <Notice tone="error" title="Nothing has changed" role="alert">
          {getErrorText(take.error)}
        </Notice>
      )}
      <RecordTable
        label="Clients in the group"
        rows={clients}
        getKey={(client) => client.client_id}
        cardsAt={TOO_NARROW_FOR_ACTIONS}
        columns={[
          { title: 'Client', cell: (client) => <Name companyId={companyId} client={client} /> },
          { title: 'Next due', cell: (client) => <NextDue client={client} today={today} /> },
          {
            title: 'Owed to HMRC',
            layout: 'numeric',
            cell: (client) => <KnownAmount amount={client.owed_pence} state={client.figures_state} />,
          },
          {
            title: 'Overdue',
            layout: 'numeric',
            cell: (client) => <KnownAmount amount={client.overdue_pence} state={client.figures_state} />,
          },
          {
            title: 'Refund due',
            layout: 'numeric',
            cell: (client) => <KnownAmount amount={client.refund_pence} state={client.figures_state} />,
          },
          isAdmin && {
            title: 'Action',
            layout: 'action',
            cell: (client) => (
              <Button variant="outlined" size="small" disabled={take.isPending} onClick={() => take.mutate(client.client_id)}>
                Remove<HiddenText> {client.name}</HiddenText>
              </Button>
            ),
          },
        ]}
      />
    </>
  );
}

function Name({ companyId, client }: { companyId: string; client: ClientRow }) {
  const to = getClientLink(companyId, client.client_id);
  return (
    <>
      {to === undefined ? client.name : <TextLink to={to}>{client.name}</TextLink>}
      {(client.status === 'inactive' || client.status === 'closed') && (
        <Text size="small" tone="quiet">
          {STATUS_NAMES[client.status]}, not included in the totals
        </Text>
      )}
    </>
  );
}

function NextDue({ client, today }: { client: ClientRow; today: PlainDate }) {
  const { next_due_on: day, next_due_tax: tax, next_due_what: itemKind } = client;
  if (day === null || tax === null) return <>{describeNothingDue(client.figures_state)}</>;
  return (
    <>
      <DateText date={day} style="short" />
      {day < today && ' late'}
      {`, ${tax.toUpperCase()} ${itemKind === null ? '' : getItemName(itemKind)}`}
    </>
  );
}
