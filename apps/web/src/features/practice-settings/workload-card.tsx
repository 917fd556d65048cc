/** Each member's workload, as bars with figures and as a table. Hands one member's clients over to another. */
import { assignmentApi, type MemberWorkload } from '@portal/contract/assignment.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import { useQuery } from '@tanstack/react-query';
import { useState, type CSSProperties } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { formatClientCount } from '../../lib/client-labels.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { HandOverDialog } from './hand-over-dialog.tsx';
import styles from './workload-card.module.css';

export function WorkloadCard({ companyId }: { companyId: string }) {
  const [asTable, setAsTable] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  const query = useQuery(apiQuery(assignmentApi.workload, { company_id: companyId }));
  return (
    <SectionCard
      title="Workload"
      aside={
        <Row gap={8}>
          <Button variant="text" size="small" fit="flush" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            {asTable ? 'Show chart' : 'Show table'}
          </Button>
          <Button variant="outlined" size="small" onClick={() => setIsOpen(true)}>
            Reassign clients
          </Button>
        </Row>
      }
      source="Active clients only. “Due” covers returns, quarterly updates and payments due from today. A client assigned to several people is counted for each."
    >
      <LoadState query={query} skeleton={<CardSkeleton lines={4} />}>
        {({ members, unassigned, today }) => (
          <Stack>
            {unassigned > 0 && (
              <Text>
                <TextLink to={getPageLink('practiceClients', { company_id: companyId, status: 'in_hand', member: 'none' })}>
                  {formatClientCount(unassigned)}
                </TextLink>{' '}
                {unassigned === 1 ? 'is' : 'are'} unassigned.
              </Text>
            )}
            {asTable ? (
              <WorkloadTable members={members} companyId={companyId} today={today} />
            ) : (
              <WorkloadBars members={members} companyId={companyId} today={today} />
            )}
          </Stack>
        )}
      </LoadState>
      {isOpen && <HandOverDialog companyId={companyId} members={query.data?.members ?? []} onClose={() => setIsOpen(false)} />}
    </SectionCard>
  );
}

type WorkloadProps = { members: readonly MemberWorkload[]; companyId: string; today: PlainDate };

/** Links to the client list behind a number. */
function toList(companyId: string, { user_id: member }: MemberWorkload, filters: Readonly<Record<string, string>> = {}): string {
  return getPageLink('practiceClients', { company_id: companyId, status: 'in_hand', member, ...filters });
}

function WorkloadBars({ members, companyId, today }: WorkloadProps) {
  const largestCount = Math.max(1, ...members.map(({ due_30: due }) => due));
  return (
    <Stack as="ul" gap={0} aria-label="Due within 30 days, by team member">
      {members.map((member) => (
        <li key={member.user_id} className={styles.member}>
          <Text weight="medium">{member.full_name}</Text>
          <div
            className={styles.track}
            style={{ '--soon': member.due_7 / largestCount, '--due': member.due_30 / largestCount } as CSSProperties}
          >
            <span className={styles.due} />
            <span className={styles.soon} />
          </div>
          <Text size="small">
            {member.due_30.toLocaleString('en-GB')} due in 30 days
            {member.due_7 > 0 && (
              <>
                ,{' '}
                <TextLink to={toList(companyId, member, { due_before: addDays(today, 7) })}>
                  {member.due_7.toLocaleString('en-GB')} of them in 7
                </TextLink>
              </>
            )}
            {' · '}
            <TextLink to={toList(companyId, member)}>{formatClientCount(member.clients)}</TextLink>
            {member.overdue_clients > 0 && (
              <>
                {' · '}
                <TextLink to={toList(companyId, member, { has: 'overdue_any' })}>
                  {member.overdue_clients.toLocaleString('en-GB')} overdue
                </TextLink>
              </>
            )}
          </Text>
        </li>
      ))}
    </Stack>
  );
}

function WorkloadTable({ members, companyId, today }: WorkloadProps) {
  const renderCount = (count: number, member: MemberWorkload, filters?: Readonly<Record<string, string>>) =>
    count === 0 ? '0' : <TextLink to={toList(companyId, member, filters)}>{count.toLocaleString('en-GB')}</TextLink>;
  return (
    <RecordTable
      label="Workload by team member"
      rows={members}
      getKey={(member) => member.user_id}
      columns={[
        { title: 'Member', cell: (member) => member.full_name },
        { title: 'Clients', layout: 'numeric', cell: (member) => renderCount(member.clients, member) },
        {
          title: 'Due in 7 days',
          layout: 'numeric',
          cell: (member) => renderCount(member.due_7, member, { due_before: addDays(today, 7) }),
        },
        {
          title: 'Due in 30 days',
          layout: 'numeric',
          cell: (member) => renderCount(member.due_30, member, { due_before: addDays(today, 30) }),
        },
        {
          title: 'Overdue clients',
          layout: 'numeric',
          cell: (member) => renderCount(member.overdue_clients, member, { has: 'overdue_any' }),
        },
      ]}
    />
  );
}
