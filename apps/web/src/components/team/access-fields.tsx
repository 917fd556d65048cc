/** The access of a member or an invitation: the role, a team member's permissions, and groups. */
import { teamApi, type TeamMember, type TeamRole } from '@portal/contract/team.ts';
import { MAX_GROUPS, parseGroups } from '@portal/domain/team/labels.ts';
import { DEFAULT_PERMISSIONS, PERMISSION_HINTS, PERMISSION_NAMES, PERMISSIONS, type Permission } from '@portal/domain/team/permissions.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { Checkbox } from '../../ui/choice.tsx';
import { FieldFrame, getDescribedBy } from '../../ui/form-field.tsx';
import { Select, TextInput } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './access-fields.module.css';

/** `role` is `admin`, `team_member` or the id of a custom role. */
export type AccessChoice = { readonly role: string; readonly permissions: readonly Permission[]; readonly groups: string };

export const NEW_MEMBER: AccessChoice = { role: 'team_member', permissions: DEFAULT_PERMISSIONS, groups: '' };

export function toAccessChoice({ role, team_role: custom, permissions, groups }: TeamMember): AccessChoice {
  return {
    role: custom?.team_role_id ?? role,
    permissions: role === 'admin' ? DEFAULT_PERMISSIONS : permissions,
    groups: groups.join(', '),
  };
}

/** Converts the choice to API input. */
export function toAccessInput({ role, permissions, groups }: AccessChoice) {
  const sharedInput = { groups: splitGroups(groups) };
  if (role === 'admin') return { ...sharedInput, role: 'admin' as const };
  if (role === 'team_member') return { ...sharedInput, role: 'team_member' as const, permissions: [...permissions] };
  return { ...sharedInput, role: 'team_member' as const, team_role_id: role };
}

/** Returns why the groups can't be saved. */
export function getGroupsError({ groups }: AccessChoice): string | undefined {
  const parsed = parseGroups(splitGroups(groups));
  return parsed.ok ? undefined : parsed.reason;
}

const splitGroups = (text: string): string[] => {
  const parts = text.split(',').filter((part) => part.trim() !== '');
  return parts.slice(0, MAX_GROUPS + 1);
};

type AccessFieldsProps = {
  idPrefix: string;
  companyId: string;
  value: AccessChoice;
  onChange: (value: AccessChoice) => void;
  /** Why the role can't be changed. */
  fixedRole?: string | undefined;
};

export function AccessFields({ idPrefix, companyId, value, onChange, fixedRole }: AccessFieldsProps) {
  const roles = useQuery({ ...apiQuery(teamApi.roles, { company_id: companyId }), enabled: companyId !== '' });
  const custom = roles.data?.roles ?? [];
  const roleId = `${idPrefix}-role`;
  const hint = fixedRole ?? getRoleHint(value.role);
  const groupsId = `${idPrefix}-groups`;
  const groupsError = getGroupsError(value);
  return (
    <div>
      <FieldFrame id={roleId} label="Role" hint={hint}>
        <Select
          id={roleId}
          value={value.role}
          disabled={fixedRole !== undefined}
          aria-describedby={getDescribedBy(roleId, hint, undefined)}
          onChange={({ target }) => onChange({ ...value, role: target.value })}
        >
          <option value="team_member">Team member</option>
          {custom.map(({ team_role_id: id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          <option value="admin">Admin</option>
        </Select>
      </FieldFrame>
      <Permissions value={value} onChange={onChange} custom={custom} />
      <FieldFrame
        id={groupsId}
        label="Groups"
        hint="For example, an office or department. Separate multiple entries with commas."
        error={groupsError}
        optional
      >
        <TextInput
          id={groupsId}
          value={value.groups}
          isInvalid={groupsError !== undefined}
          aria-describedby={getDescribedBy(groupsId, 'hint', groupsError)}
          onChange={({ target }) => onChange({ ...value, groups: target.value })}
          autoComplete="off"
        />
      </FieldFrame>
    </div>
  );
}

function getRoleHint(role: string): string {
  if (role === 'admin') return 'Can see every client and do everything, including managing the team.';
  return 'Can only see and work on the clients assigned to them.';
}

/** A custom role has its own permissions, and an admin has all permissions. */
function Permissions({ value, onChange, custom }: Pick<AccessFieldsProps, 'value' | 'onChange'> & { custom: readonly TeamRole[] }) {
  if (value.role === 'admin') return null;
  const role = custom.find(({ team_role_id: id }) => id === value.role);
  if (role !== undefined || value.role !== 'team_member') {
    const names = (role?.permissions ?? []).map((permission) => PERMISSION_NAMES[permission]);
    return (
      <Text size="small" tone="quiet" className={styles.included}>
        {names.length === 0 ? 'This role has no additional permissions.' : `This role includes: ${names.join(', ')}.`}
      </Text>
    );
  }
  return <PermissionChoices chosen={value.permissions} onChange={(permissions) => onChange({ ...value, permissions })} />;
}

type PermissionChoicesProps = { chosen: readonly Permission[]; onChange: (permissions: readonly Permission[]) => void };

export function PermissionChoices({ chosen, onChange }: PermissionChoicesProps) {
  return (
    <Stack as="fieldset" gap={8} className={styles.permissions}>
      <Text as="legend" weight="medium">
        They can also
      </Text>
      {PERMISSIONS.map((permission) => (
        <Checkbox
          key={permission}
          label={PERMISSION_NAMES[permission]}
          hint={PERMISSION_HINTS[permission]}
          checked={chosen.includes(permission)}
          onChange={({ target }) =>
            onChange(PERMISSIONS.filter((other) => (other === permission ? target.checked : chosen.includes(other))))
          }
        />
      ))}
    </Stack>
  );
}
