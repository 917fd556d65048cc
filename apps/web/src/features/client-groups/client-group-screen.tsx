/** One group of clients: its totals, and its clients with their figures. */
import { clientGroupsApi, type ClientGroup } from '@portal/contract/client-groups.ts';
import { MAX_CLIENT_PAGE_SIZE, clientsApi } from '@portal/contract/clients.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { PracticePage } from '../../components/practice/practice-page.tsx';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { useIsAdmin } from '../../lib/practice-profile.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { Button } from '../../ui/button.tsx';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { Grid, Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { AddClientsDialog } from './add-clients-dialog.tsx';
import { DeleteGroupDialog } from './delete-group-dialog.tsx';
import { describeCoverage, describeTotal, GroupNextDueDate, GroupNextItem } from './group-figures.tsx';
import { GroupMembers } from './group-members.tsx';
import { GroupNameDialog } from './group-name-dialog.tsx';

type GroupDialog = 'add' | 'rename' | 'delete' | null;

export function ClientGroupScreen() {
  const { companyId } = useCompanyId();
  const [search] = useSearchParams();
  const groupId = search.get('group_id') ?? '';
  const isAdmin = useIsAdmin(companyId);
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<GroupDialog>(null);
  const isKnown = companyId !== '' && groupId !== '';
  const query = useQuery({ ...apiQuery(clientGroupsApi.find, { company_id: companyId, group_id: groupId }), enabled: isKnown });
  const list = { company_id: companyId, group: groupId, sort: 'name' as const, limit: MAX_CLIENT_PAGE_SIZE };
  const members = useQuery({ ...apiQuery(clientsApi.list, list), enabled: isKnown });
  const groupsLink = getPageLink('clientGroups', { company_id: companyId });
  const close = () => setDialog(null);
  const group = query.data?.group;
  return (
    <PracticePage
      title={group?.name ?? 'Client group'}
      lead={<TextLink to={groupsLink}>All groups</TextLink>}
      actions={
        isAdmin &&
        group && (
          <Row gap={8}>
            <Button onClick={() => setDialog('add')}>Add clients</Button>
            <Button variant="outlined" onClick={() => setDialog('rename')}>
              Rename
            </Button>
            <Button variant="outlined" tone="error" onClick={() => setDialog('delete')}>
              Delete
            </Button>
          </Row>
        )
      }
    >
      {groupId === '' && (
        <Notice tone="warning" title="Group not found">
          This link doesn’t include a group. Open one from the list.
        </Notice>
      )}
      {groupId !== '' && (
        <LoadState query={query} skeleton={<CardSkeleton lines={4} />}>
          {({ group: shownGroup, today }) => (
            <Stack gap={24}>
              <GroupTotals companyId={companyId} group={shownGroup} today={today} />
              <SectionCard title="Clients">
                <LoadState query={members} skeleton={<CardSkeleton lines={4} />}>
                  {({ clients }) => <GroupMembers {...{ companyId, today, isAdmin }} group={shownGroup} clients={clients} />}
                </LoadState>
              </SectionCard>
            </Stack>
          )}
        </LoadState>
      )}
      {group && dialog === 'add' && (
        <AddClientsDialog
          companyId={companyId}
          group={group}
          memberIds={new Set(members.data?.clients.map(({ client_id: id }) => id))}
          onClose={close}
        />
      )}
      {group && dialog === 'rename' && <GroupNameDialog companyId={companyId} group={group} onSaved={() => {}} onClose={close} />}
      {group && dialog === 'delete' && (
        <DeleteGroupDialog
          companyId={companyId}
          group={group}
          onDeleted={() => void navigate(groupsLink, { replace: true })}
          onClose={close}
        />
      )}
    </PracticePage>
  );
}

/** Each total links to the list of its clients. */
function GroupTotals({ companyId, group, today }: { companyId: string; group: ClientGroup; today: PlainDate }) {
  const toList = (filterValue: string) =>
    getPageLink('practiceClients', { company_id: companyId, group: group.group_id, status: 'in_hand', has: filterValue });
  const figures = [
    { label: 'Owed to HMRC', has: 'owed', amount: group.owed_pence },
    { label: 'Overdue', has: 'overdue', amount: group.overdue_pence },
    { label: 'Refund due', has: 'refund', amount: group.refund_pence },
  ] as const;
  return (
    <SectionCard title="Together" source={describeCoverage(group)}>
      <Grid minColumn={220}>
        {figures.map(({ label, has, amount }) => {
          const { figure, coverage } = describeTotal(group, amount);
          const isPositive = amount !== null && amount > 0;
          return (
            <KeyFigure
              key={has}
              figure={
                isPositive ? (
                  <TextLink to={toList(has)} inheritsColour>
                    {figure}
                  </TextLink>
                ) : (
                  figure
                )
              }
              label={`${label}${coverage}`}
              tone={has === 'overdue' && isPositive ? 'error' : undefined}
            />
          );
        })}
        <KeyFigure
          figure={<GroupNextDueDate group={group} today={today} />}
          label="Next due"
          details={<GroupNextItem companyId={companyId} group={group} />}
          tone={group.next_due_on !== null && group.next_due_on < today ? 'error' : undefined}
        />
      </Grid>
    </SectionCard>
  );
}
