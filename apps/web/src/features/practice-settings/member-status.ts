import type { MemberStatus, TeamMember } from '@portal/contract/team.ts';

/** Chips for the status of a member or an invitation in the team list. */
export const MEMBER_STATUS_CHIPS = {
  active: { label: 'Active', icon: 'check', tone: 'success' },
  invited: { label: 'Invited', icon: 'clock', tone: 'warning' },
  deactivated: { label: 'Deactivated', icon: 'close', tone: 'secondary' },
  closed: { label: 'Account closed', icon: 'close', tone: 'secondary' },
} as const satisfies Record<MemberStatus, object>;

/** Identifies a member or an invitation in the list. */
export const getKey = ({ user_id: userId, invitation_id: invitationId }: TeamMember): string => userId ?? invitationId ?? '';

/** Returns, for example, "Admin, owner" or the name of a custom role. */
export function getRoleName({ role, team_role: custom, is_owner: isOwner }: TeamMember): string {
  const name = role === 'admin' ? 'Admin' : (custom?.name ?? 'Team member');
  return isOwner ? `${name}, owner` : name;
}

/** Returns the member's name for a heading. */
export function getPersonName({ full_name: name, email }: TeamMember): string {
  return name === '' ? email : name;
}
