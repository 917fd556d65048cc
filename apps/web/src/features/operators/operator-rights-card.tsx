import { OPERATOR_RIGHTS_MATRIX } from '@portal/contract/operator-rights.ts';
import { OPERATOR_ROLE_NAMES, OPERATOR_ROLES, type OperatorRole } from '@portal/domain/identity/operator-roles.ts';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Table } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';

/** Shows what each role may do. The server's access rules are tested against the same list. */
export function OperatorRightsCard({ ownRoles }: { ownRoles: readonly OperatorRole[] }) {
  return (
    <SectionCard
      title="What each role can do"
      source="An operator can have several roles. The operator who approves a refund can’t release its payout, and above £25,000 two other operators must release it."
    >
      <Table label="Permissions by role" flush dense>
        <thead>
          <tr>
            <th scope="col">Right</th>
            {OPERATOR_ROLES.map((role) => (
              <th scope="col" key={role}>
                {OPERATOR_ROLE_NAMES[role]}
                {ownRoles.includes(role) && ' (you)'}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {OPERATOR_RIGHTS_MATRIX.map(({ what, access, roles }) => (
            <tr key={access}>
              <th scope="row">{what}</th>
              {OPERATOR_ROLES.map((role) => (
                <td key={role}>{roles.includes(role) ? <AllowedMark /> : <NotAllowedMark />}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </SectionCard>
  );
}

function AllowedMark() {
  return (
    <>
      <Icon name="check" tone="success" size={18} />
      <HiddenText>Yes</HiddenText>
    </>
  );
}

function NotAllowedMark() {
  return (
    <>
      <Text as="span" tone="quiet" aria-hidden="true">
        –
      </Text>
      <HiddenText>No</HiddenText>
    </>
  );
}
