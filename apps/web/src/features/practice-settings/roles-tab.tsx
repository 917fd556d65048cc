import { ROLES_MATRIX, type MatrixCell, type MatrixRole } from '@portal/contract/roles-matrix.ts';
import clsx from 'clsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Table } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import type { PracticeProfile } from './practice-profile.ts';
import styles from './roles-tab.module.css';

/** The roles within a practice. The others of the matrix mean nothing to it. */
const PRACTICE_ROLES = ['practice_admin', 'team_member'] as const satisfies readonly MatrixRole[];
type PracticeRole = (typeof PRACTICE_ROLES)[number];

const ROLE_NAMES: Readonly<Record<PracticeRole, string>> = { practice_admin: 'Admin', team_member: 'Team member' };

/** What members of a practice can do now. */
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

/** Who may do what. The server's access rules are tested against the same list. */
export function RolesTab({ profile }: { profile: PracticeProfile }) {
  const own: PracticeRole = profile.role === 'admin' ? 'practice_admin' : 'team_member';
  // Show the person's own column first, because it is the visible one on a phone.
  const roles = [own, ...PRACTICE_ROLES.filter((role) => role !== own)];
  return (
    <SectionCard title="Who can do what">
      <Stack gap={16}>
        <Text>
          You’re {profile.role === 'admin' ? 'an admin' : 'a team member'} at {profile.name}.
        </Text>
        <Table label="Permissions of each role" className={styles.matrix}>
          <thead>
            <tr>
              <th scope="col">Permission</th>
              {roles.map((role) => (
                <th scope="col" key={role} className={clsx(role === own && styles.own)}>
                  {ROLE_NAMES[role]}
                  {role === own && ' (you)'}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {PRACTICE_ROWS.map(({ what, cells }) => (
              <tr key={what}>
                <th scope="row">{what}</th>
                {roles.map((role) => (
                  <td key={role} className={clsx(role === own && styles.own)}>
                    <Cell cell={cells[role]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
      </Stack>
    </SectionCard>
  );
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
