import { isPracticeAccess, PRACTICE_RIGHTS } from '@portal/contract/practice-rights.ts';
import { ROLES_MATRIX, type MatrixCell, type MatrixRole, type MatrixRow } from '@portal/contract/roles-matrix.ts';
import { teamApi, type TeamRole } from '@portal/contract/team.ts';
import type { Permission } from '@portal/domain/team/permissions.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../lib/api.ts';
import type { PracticeProfile } from '../../lib/practice-profile.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { RightsTable } from '../../ui/rights-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { RoleDialog } from './role-dialog.tsx';

/** The roles within a practice. The matrix's other roles don't apply here. */
const PRACTICE_ROLES = ['practice_admin', 'team_member'] as const satisfies readonly MatrixRole[];
type PracticeRole = (typeof PRACTICE_ROLES)[number];

const ROLE_NAMES: Readonly<Record<PracticeRole, string>> = { practice_admin: 'Admin', team_member: 'Team member' };

/** What members of a practice can do today, including rows that don't depend on a permission. */
const PRACTICE_ROWS = ROLES_MATRIX.filter(
  ({ cells, access }) => access.length > 0 && !access.includes('public') && PRACTICE_ROLES.some((role) => cells[role] !== 'no'),
);

const CELL_LABELS: Readonly<Record<MatrixCell, boolean | string>> = {
  yes: true,
  no: false,
  assigned: 'Assigned clients',
  read: 'View only',
  permission: 'With permission',
  propose: 'Can propose',
  accept: 'Can accept',
  approve: 'Can approve',
};

/** Returns the permission for a row, based on the row's first access rule. */
const getPermission = ({ access: [rule] }: MatrixRow): Permission | undefined =>
  rule !== undefined && isPracticeAccess(rule) ? PRACTICE_RIGHTS[rule].permission : undefined;

/** Shows who may do what, from the same table that the server enforces. Admins can add custom roles. */
export function RolesTab({ profile }: { profile: PracticeProfile }) {
  const query = useQuery(apiQuery(teamApi.roles, { company_id: profile.company_id }));
  const [roleToEdit, setRoleToEdit] = useState<TeamRole | 'new'>();
  const isAdmin = profile.role === 'admin';
  return (
    <SectionCard
      title="Who can do what"
      aside={
        isAdmin && (
          <Button size="small" variant="outlined" onClick={() => setRoleToEdit('new')}>
            Add a role
          </Button>
        )
      }
    >
      <Stack gap={16}>
        <Text>
          You’re {isAdmin ? 'an admin' : 'a team member'} at {profile.name}.
        </Text>
        <LoadState query={query}>
          {({ roles }) => <RolesMatrixTable profile={profile} roles={roles} edit={isAdmin ? setRoleToEdit : undefined} />}
        </LoadState>
      </Stack>
      {roleToEdit !== undefined && (
        <RoleDialog
          companyId={profile.company_id}
          role={roleToEdit === 'new' ? undefined : roleToEdit}
          onClose={() => setRoleToEdit(undefined)}
        />
      )}
    </SectionCard>
  );
}

type MatrixProps = { profile: PracticeProfile; roles: readonly TeamRole[]; edit: ((role: TeamRole) => void) | undefined };

function RolesMatrixTable({ profile, roles: customRoles, edit }: MatrixProps) {
  const ownRole: PracticeRole = profile.role === 'admin' ? 'practice_admin' : 'team_member';
  // The user's own column comes first.
  const roles = [ownRole, ...PRACTICE_ROLES.filter((role) => role !== ownRole)];
  return (
    <RightsTable
      label="Permissions of each role"
      roles={[
        ...roles.map((role) => ({ key: role, name: ROLE_NAMES[role], isOwn: role === ownRole })),
        ...customRoles.map((role) => ({
          key: role.team_role_id,
          name: role.name,
          ...(edit && {
            action: (
              <TextLink onClick={() => edit(role)}>
                Edit<HiddenText> {role.name}</HiddenText>
              </TextLink>
            ),
          }),
        })),
      ]}
      rights={PRACTICE_ROWS.map((row) => ({
        name: row.what,
        cells: [
          ...roles.map((role) => (role === ownRole && role === 'team_member' ? getCustomCell(row, profile) : row.cells[role])),
          ...customRoles.map((role) => getCustomCell(row, role)),
        ].map((cell) => CELL_LABELS[cell]),
      }))}
    />
  );
}

/** A custom role is a team member's role with its own permissions. */
function getCustomCell(row: MatrixRow, { permissions }: Pick<TeamRole, 'permissions'>): MatrixCell {
  const permission = getPermission(row);
  if (permission === undefined) return row.cells.team_member;
  return permissions.includes(permission) ? 'yes' : 'no';
}
