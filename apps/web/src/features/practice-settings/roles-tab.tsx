import { MATRIX_ROLES, ROLES_MATRIX, type MatrixCell, type MatrixRole } from '@portal/contract/roles-matrix.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Icon } from '../../ui/icons.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import type { PracticeProfile } from './practice-profile.ts';

const ROLE_NAMES: Readonly<Record<MatrixRole, string>> = {
  visitor: 'Visitor',
  trader_owner: 'Trader',
  practice_admin: 'Admin',
  team_member: 'Team member',
  client: 'Client',
  operator: 'Operator',
};

const CELL_LABELS: Readonly<Record<MatrixCell, string>> = {
  yes: 'Yes',
  no: 'No',
  assigned: 'Assigned clients',
  read: 'Reads',
  permission: 'With permission',
  propose: 'Proposes',
  accept: 'Accepts',
  approve: 'Approves',
};

/** Who may do what. The server's access rules are tested against the same list. */
export function RolesTab({ profile }: { profile: PracticeProfile }) {
  const own: MatrixRole = profile.role === 'admin' ? 'practice_admin' : 'team_member';
  // Show the person's own column first, because it is the visible one on a phone.
  const roles = [own, ...MATRIX_ROLES.filter((role) => role !== own)];
  return (
    <SectionCard
      title="Who may do what"
      source="Admin and Team member are the people of a practice. The operator is the company that runs this portal."
    >
      <Typography sx={{ mb: 2 }}>
        You are {profile.role === 'admin' ? 'an admin' : 'a team member'} of {profile.name}.
      </Typography>
      {/* The table is wider than a phone, so it scrolls horizontally, also by keyboard. */}
      <Box
        role="region"
        aria-label="Rights of each role"
        tabIndex={0}
        sx={{ position: 'relative', overflowX: 'auto', mx: { xs: -2, sm: 0 } }}
      >
        <Box
          component="table"
          sx={{
            borderCollapse: 'collapse',
            minWidth: 880,
            width: '100%',
            fontSize: '0.875rem',
            '& th, & td': { textAlign: 'left', verticalAlign: 'top', px: 1.5, py: 1.25, borderBottom: 1, borderColor: 'divider' },
            '& tbody th': { fontWeight: 500, position: 'sticky', left: 0, bgcolor: 'background.paper', width: { xs: 180, sm: 280 } },
            '& thead th': { fontWeight: 600, whiteSpace: 'nowrap' },
            '& thead th:first-of-type': { position: 'sticky', left: 0, bgcolor: 'background.paper' },
          }}
        >
          <thead>
            <tr>
              <th scope="col">Right</th>
              {roles.map((role) => (
                <Box component="th" scope="col" key={role} sx={role === own ? OWN_ROLE_STYLE : {}}>
                  {ROLE_NAMES[role]}
                  {role === own && ' (you)'}
                </Box>
              ))}
            </tr>
          </thead>
          <tbody>
            {ROLES_MATRIX.map(({ what, cells, access }) => (
              <tr key={what}>
                <th scope="row">
                  {what}
                  {access.length === 0 && (
                    <Box component="span" sx={{ display: 'block', fontWeight: 400, color: 'text.secondary' }}>
                      Not in this version
                    </Box>
                  )}
                </th>
                {roles.map((role) => (
                  <Box component="td" key={role} sx={role === own ? OWN_ROLE_STYLE : {}}>
                    <Cell cell={cells[role]} />
                  </Box>
                ))}
              </tr>
            ))}
          </tbody>
        </Box>
      </Box>
    </SectionCard>
  );
}

const OWN_ROLE_STYLE = { bgcolor: 'primary.soft' } as const;

function Cell({ cell }: { cell: MatrixCell }) {
  if (cell === 'no') {
    return (
      <>
        <Box component="span" aria-hidden="true" sx={{ color: 'text.secondary' }}>
          –
        </Box>
        <HiddenText>No</HiddenText>
      </>
    );
  }
  return (
    <Box component="span" sx={{ display: 'inline-flex', gap: 0.5, alignItems: 'center' }}>
      {cell === 'yes' && <Icon name="check" sx={{ fontSize: 18, color: 'success.tone' }} />}
      {CELL_LABELS[cell]}
    </Box>
  );
}
