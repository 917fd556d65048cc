import { OPERATOR_RIGHTS_MATRIX } from '@portal/contract/operator-rights.ts';
import { OPERATOR_ROLE_NAMES, OPERATOR_ROLES, type OperatorRole } from '@portal/domain/identity/operator-roles.ts';
import { RightsTable } from '../../ui/rights-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';

/** Shows what each role may do. The server's access rules are tested against the same list. */
export function OperatorRightsCard({ ownRoles }: { ownRoles: readonly OperatorRole[] }) {
  return (
    <SectionCard
      title="What each role can do"
      source="An operator can have several roles. The operator who approves a refund can’t release its payout, and above £25,000 two other operators must release it."
    >
      <RightsTable
        label="Permissions by role"
        roles={OPERATOR_ROLES.map((role) => ({ key: role, name: OPERATOR_ROLE_NAMES[role], isOwn: ownRoles.includes(role) }))}
        rights={OPERATOR_RIGHTS_MATRIX.map(({ what, roles }) => ({
          name: what,
          cells: OPERATOR_ROLES.map((role) => roles.includes(role)),
        }))}
      />
    </SectionCard>
  );
}
