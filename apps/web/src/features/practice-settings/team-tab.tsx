/** The members of the practice: who has access, who has been invited, and who has left. Only admins can make changes. */
import { MEMBER_STATUSES, teamApi, type MemberStatus, type TeamMember } from '@portal/contract/team.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import type { PracticeProfile } from '../../lib/practice-profile.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { Button } from '../../ui/button.tsx';
import { FilterChips } from '../../ui/filter-chips.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { DeactivateDialog } from './deactivate-dialog.tsx';
import { InvitationDialog } from './invitation-dialog.tsx';
import { MemberDialog } from './member-dialog.tsx';
import { getKey, MEMBER_STATUS_CHIPS } from './member-status.ts';
import { MembersTable } from './members-table.tsx';
import { RulesCard } from './rules-card.tsx';
import { WorkloadCard } from './workload-card.tsx';

/** A shorter list is quicker to read than to search. */
const SEARCH_FROM = 8;

export function TeamTab({ profile }: { profile: PracticeProfile }) {
  const companyId = profile.company_id;
  const isAdmin = profile.role === 'admin';
  const team = useQuery(apiQuery(teamApi.list, { company_id: companyId }));
  return (
    <Stack gap={24}>
      <SectionCard
        title="Team"
        aside={
          isAdmin && (
            <Button size="small" to={getPageLink('addTeamMember', { company_id: companyId })}>
              Add a team member
            </Button>
          )
        }
      >
        <LoadState query={team} skeleton={<CardSkeleton lines={4} />}>
          {({ team_members: people }) => <Team companyId={companyId} people={people} isAdmin={isAdmin} />}
        </LoadState>
      </SectionCard>
      {isAdmin && <WorkloadCard companyId={companyId} />}
      {isAdmin && <RulesCard companyId={companyId} />}
    </Stack>
  );
}

type TeamProps = { companyId: string; people: readonly TeamMember[]; isAdmin: boolean };

function Team({ companyId, people, isAdmin }: TeamProps) {
  const [search] = useSearchParams();
  const status = MEMBER_STATUSES.find((known) => known === search.get('status'));
  const [searchText, setText] = useState('');
  const [openedUserId, setOpened] = useState<string>();
  const [memberToRemove, setMemberToRemove] = useState<TeamMember>();
  const shownPeople = people.filter((item) => (status === undefined || item.status === status) && matchesText(item, searchText));
  const member = people.find((item) => getKey(item) === openedUserId);
  const close = () => setOpened(undefined);
  return (
    <Stack gap={16}>
      {isAdmin && <StatusFilter people={people} status={status} />}
      {people.length >= SEARCH_FROM && (
        <FieldFrame id="team-search" label="Search by name, email or group">
          <TextInput
            id="team-search"
            type="search"
            small
            value={searchText}
            onChange={({ target }) => setText(target.value)}
            widthInCharacters={30}
          />
        </FieldFrame>
      )}
      {shownPeople.length === 0 ? (
        <Text tone="quiet">No one matches.</Text>
      ) : (
        <MembersTable companyId={companyId} people={shownPeople} open={isAdmin ? setOpened : undefined} />
      )}
      {member?.status === 'invited' && <InvitationDialog companyId={companyId} invitation={member} onClose={close} />}
      {member !== undefined && member.status !== 'invited' && (
        <MemberDialog
          key={openedUserId}
          companyId={companyId}
          person={member}
          isOwner={people.some((item) => item.is_you && item.is_owner)}
          onDeactivate={() => {
            close();
            setMemberToRemove(member);
          }}
          onClose={close}
        />
      )}
      {memberToRemove !== undefined && (
        <DeactivateDialog
          companyId={companyId}
          person={memberToRemove}
          colleagues={people.filter((item) => item.status === 'active' && item.user_id !== memberToRemove.user_id)}
          onClose={() => setMemberToRemove(undefined)}
        />
      )}
    </Stack>
  );
}

function StatusFilter({ people, status }: { people: readonly TeamMember[]; status: MemberStatus | undefined }) {
  const count = (memberStatus: MemberStatus): number => people.filter((item) => item.status === memberStatus).length;
  const options = MEMBER_STATUSES.map((value) => ({ value, label: MEMBER_STATUS_CHIPS[value].label, count: count(value) }));
  // With a single status, there is nothing to choose.
  if (options.filter((option) => option.count > 0).length < 2) return null;
  return <FilterChips label="Status" name="status" selected={status} all={{ label: 'All', count: people.length }} options={options} />;
}

function matchesText({ full_name: name, email, groups }: TeamMember, text: string): boolean {
  const searchText = text.trim().toLowerCase();
  return searchText === '' || [name, email, ...groups].some((value) => value.toLowerCase().includes(searchText));
}
