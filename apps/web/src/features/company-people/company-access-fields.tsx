/** Form fields for a user's role and permissions in a trader's company. */
import { COMPANY_WIRE_ROLES, type CompanyWireRole } from '@portal/contract/company-people.ts';
import { COMPANY_PERMISSION_NAMES, COMPANY_PERMISSIONS, type CompanyPermission } from '@portal/domain/company-people/company-access.ts';
import { COMPANY_ROLE_NAMES } from '../../components/companies/company-role-names.ts';
import { Checkbox, Radio } from '../../ui/choice.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './company-access-fields.module.css';

export type CompanyAccessChoice = { readonly role: CompanyWireRole; readonly permissions: readonly CompanyPermission[] };

/** The least access that is still useful, with the role selected by default. */
export const NEW_MEMBER_ACCESS: CompanyAccessChoice = { role: 'bookkeeper', permissions: [] };

const ROLE_HINTS: Readonly<Record<CompanyWireRole, string>> = {
  owner: 'Can do everything: connect HMRC, change the bank account, invite people.',
  bookkeeper: 'Can upload books and prepare returns.',
  accountant: 'For an external accountant. Can prepare returns, like a bookkeeper.',
  viewer: 'Can view returns, refunds and documents, but can’t change anything.',
};

const PERMISSION_HINTS: Readonly<Record<CompanyPermission, string>> = {
  file_returns: 'Submit the company’s returns to HMRC.',
  accept_advances: 'Sell a refund to us for the company, and agree how a shortfall is paid.',
};

type FieldsProps = { idPrefix: string; value: CompanyAccessChoice; onChange: (value: CompanyAccessChoice) => void };

export function CompanyAccessFields({ idPrefix, value, onChange }: FieldsProps) {
  const { role, permissions } = value;
  const toggle = (permission: CompanyPermission) =>
    onChange({
      role,
      permissions: permissions.includes(permission) ? permissions.filter((item) => item !== permission) : [...permissions, permission],
    });
  return (
    <Stack gap={16}>
      <fieldset className={styles.group}>
        <Text as="legend" weight="medium" className={styles.legend}>
          Role
        </Text>
        <Stack gap={8}>
          {COMPANY_WIRE_ROLES.map((item) => (
            <Radio
              key={item}
              name={`${idPrefix}-role`}
              label={COMPANY_ROLE_NAMES[item]}
              hint={ROLE_HINTS[item]}
              checked={role === item}
              onChange={() => onChange({ role: item, permissions })}
            />
          ))}
        </Stack>
      </fieldset>
      {(role === 'bookkeeper' || role === 'accountant') && (
        <fieldset className={styles.group}>
          <Text as="legend" weight="medium" className={styles.legend}>
            Can also
          </Text>
          <Stack gap={8}>
            {COMPANY_PERMISSIONS.map((permission) => (
              <Checkbox
                key={permission}
                label={COMPANY_PERMISSION_NAMES[permission]}
                hint={PERMISSION_HINTS[permission]}
                checked={permissions.includes(permission)}
                onChange={() => toggle(permission)}
              />
            ))}
          </Stack>
        </fieldset>
      )}
    </Stack>
  );
}

/** Converts the choice to request input. Only roles between owner and viewer have individual permissions. */
export function toCompanyAccessInput({ role, permissions }: CompanyAccessChoice): {
  role: CompanyWireRole;
  permissions: CompanyPermission[];
} {
  const canHavePermissions = role === 'bookkeeper' || role === 'accountant';
  return { role, permissions: canHavePermissions ? COMPANY_PERMISSIONS.filter((permission) => permissions.includes(permission)) : [] };
}
