/** The practice's client groups, with the totals for each. */
import { clientGroupsApi, type ClientGroup } from '@portal/contract/client-groups.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { PracticePage } from '../../components/practice/practice-page.tsx';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { useIsAdmin } from '../../lib/practice-profile.ts';
import { TOO_NARROW_FOR_ACTIONS } from '../../lib/use-media-query.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NoClientsIllustration } from '../../ui/illustrations.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { GroupNextDue, renderGroupAmount } from './group-figures.tsx';
import { GroupNameDialog } from './group-name-dialog.tsx';

export function ClientGroupsScreen() {
  const { companyId } = useCompanyId();
  const isAdmin = useIsAdmin(companyId);
  const navigate = useNavigate();
  const [isNaming, setIsNaming] = useState(false);
  const query = useQuery({ ...apiQuery(clientGroupsApi.list, { company_id: companyId }), enabled: companyId !== '' });
  const create = () => setIsNaming(true);
  return (
    <PracticePage
      title="Client groups"
      lead={
        <>
          Families and companies with the same owner, with their combined totals.{' '}
          <TextLink to={getPageLink('practiceClients', { company_id: companyId })}>Back to clients</TextLink>
        </>
      }
      actions={isAdmin && (query.data?.groups.length ?? 0) > 0 && <Button onClick={create}>Create a group</Button>}
    >
      <LoadState query={query} skeleton={<CardSkeleton lines={6} />}>
        {({ groups, today }) =>
          groups.length === 0 ? (
            <NoGroups create={isAdmin ? create : undefined} />
          ) : (
            <SectionCard source="Active clients only. Amounts are as shown in the client list.">
              <Groups companyId={companyId} groups={groups} today={today} />
            </SectionCard>
          )
        }
      </LoadState>
      {isNaming && (
        <GroupNameDialog
          companyId={companyId}
          group={undefined}
          onSaved={(groupId) => void navigate(getPageLink('clientGroup', { company_id: companyId, group_id: groupId }))}
          onClose={() => setIsNaming(false)}
        />
      )}
    </PracticePage>
  );
}

function NoGroups({ create }: { create: (() => void) | undefined }) {
  return (
    <EmptyState
      framed
      illustration={<NoClientsIllustration />}
      title="No groups yet"
      text={
        create
          ? 'Put related clients into a group to see in one place what they owe, what they’re owed and what they need to do next.'
          : 'When an admin of your practice adds one of your clients to a group, the group appears here.'
      }
    >
      {create && <Button onClick={create}>Create a group</Button>}
    </EmptyState>
  );
}

type GroupsProps = { companyId: string; groups: readonly ClientGroup[]; today: PlainDate };

function Groups({ companyId, groups, today }: GroupsProps) {
  return (
    <RecordTable
      label="Client groups"
      rows={groups}
      getKey={(group) => group.group_id}
      cardsAt={TOO_NARROW_FOR_ACTIONS}
      columns={[
        {
          title: 'Group',
          cell: ({ group_id, name }) => <TextLink to={getPageLink('clientGroup', { company_id: companyId, group_id })}>{name}</TextLink>,
        },
        { title: 'Active clients', layout: 'numeric', cell: (group) => group.active_clients },
        { title: 'Next due', cell: (group) => <GroupNextDue {...{ companyId, group, today }} /> },
        { title: 'Owed to HMRC', layout: 'numeric', cell: (group) => renderGroupAmount(group, group.owed_pence) },
        { title: 'Overdue', layout: 'numeric', cell: (group) => renderGroupAmount(group, group.overdue_pence) },
        { title: 'Refund due', layout: 'numeric', cell: (group) => renderGroupAmount(group, group.refund_pence) },
      ]}
    />
  );
}
