import { isPracticeAccess, PRACTICE_RIGHTS } from '@portal/contract/practice-rights.ts';
import { ROLES_MATRIX, type MatrixCell, type MatrixRole, type MatrixRow } from '@portal/contract/roles-matrix.ts';
import { teamApi, type TeamRole } from '@portal/contract/team.ts';
import type { Permission } from '@portal/domain/team/permissions.ts';
import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { useState } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Table } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { RoleDialog } from './role-dialog.tsx';
import type { PracticeProfile } from './practice-profile.ts';
import styles from './roles-tab.module.css';

/** The roles within a practice. The matrix's other roles don't apply here. */
const PRACTICE_ROLES = ['practice_admin', 'team_member'] as const satisfies readonly MatrixRole[];
type PracticeRole = (typeof PRACTICE_ROLES)[number];

const ROLE_NAMES: Readonly<Record<PracticeRole, string>> = { practice_admin: 'Admin', team_member: 'Team member' };

/** What members of a practice can do today, including rows that don't depend on a permission. */
const PRACTICE_ROWS = ROLES_MATRIX.filter(
  ({ cells, access }) => access.length > 0 && !access.includes('public') && PRACTICE_ROLES.some((role) => cells[role] !== 'no'),
);

const CELL_LABELS: Readonly<Record<MatrixCell, string>> = {
  yes: 'Yes',
  no: 'No',
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
  // Show the user's own column first, because it is the one visible on a phone.
  const roles = [ownRole, ...PRACTICE_ROLES.filter((role) => role !== ownRole)];
  return (
    <Table label="Permissions of each role" className={styles.matrix}>
      <thead>
        <tr>
          <th scope="col">Permission</th>
          {roles.map((role) => (
            <th scope="col" key={role} className={clsx(role === ownRole && styles.own)}>
              {ROLE_NAMES[role]}
              {role === ownRole && ' (you)'}
            </th>
          ))}
          {customRoles.map((role) => (
            <th scope="col" key={role.team_role_id}>
              {role.name}
              {edit && (
                <>
                  {' '}
                  <TextLink onClick={() => edit(role)}>
                    Edit<HiddenText> {role.name}</HiddenText>
                  </TextLink>
                </>
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {PRACTICE_ROWS.map((row) => (
          <tr key={row.what}>
            <th scope="row">{row.what}</th>
            {roles.map((role) => (
              <td key={role} className={clsx(role === ownRole && styles.own)}>
                <Cell cell={role === ownRole && ownRole === 'team_member' ? getCustomCell(row, profile) : row.cells[role]} />
              </td>
            ))}
            {customRoles.map((role) => (
              <td key={role.team_role_id}>
                <Cell cell={getCustomCell(row, role)} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** A custom role is a team member's role with its own permissions. */
function getCustomCell(row: MatrixRow, { permissions }: Pick<TeamRole, 'permissions'>): MatrixCell {
  const permission = getPermission(row);
  if (permission === undefined) return row.cells.team_member;
  return permissions.includes(permission) ? 'yes' : 'no';
}

function Cell({ cell }: { cell: MatrixCell }) {
  if (cell === 'no') {
    return (
      <>
        <Text as="span" tone="quiet" aria-hidden="true">
          –
        </Text>
        <HiddenText>No</HiddenText>
      </>
    );
  }
  return (
    <Row as="span" gap={4} wrap={false}>
      {cell === 'yes' && <Icon name="check" tone="success" size={18} />}
      {CELL_LABELS[cell]}
    </Row>
  );
}
