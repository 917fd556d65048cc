import { OPERATOR_ROLE_NAMES, OPERATOR_ROLES, type OperatorRole } from '@portal/domain/identity/operator-roles.ts';
import { OPERATOR_RIGHTS_MATRIX } from '@portal/contract/operator-rights.ts';
import { Checkbox } from '../../ui/choice.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './role-choices.module.css';

type RoleChoicesProps = { chosen: readonly OperatorRole[]; onChange: (roles: readonly OperatorRole[]) => void; error?: string | undefined };

/** An operator's roles, each with its permissions. */
export function RoleChoices({ chosen, onChange, error }: RoleChoicesProps) {
  return (
    <Stack as="fieldset" gap={8} className={styles.roles}>
      <Text as="legend" weight="medium">
        Roles
      </Text>
      {OPERATOR_ROLES.map((role) => (
        <Checkbox
          key={role}
          label={OPERATOR_ROLE_NAMES[role]}
          hint={describeRole(role)}
          checked={chosen.includes(role)}
          onChange={({ target }) => onChange(OPERATOR_ROLES.filter((other) => (other === role ? target.checked : chosen.includes(other))))}
        />
      ))}
      {error !== undefined && (
        <Text size="small" weight="medium" tone="error" role="alert">
          {error}
        </Text>
      )}
    </Stack>
  );
}

function describeRole(role: OperatorRole): string {
  const rights = OPERATOR_RIGHTS_MATRIX.filter(({ access, roles }) => access !== 'operator' && roles.includes(role));
  return rights.length === 0 ? 'Can view and add notes' : rights.map(({ what }) => what).join('; ');
}
