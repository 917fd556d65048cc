/** Shows who the practice's rules would assign an import's new clients to. */
import { clientImportsApi } from '@portal/contract/client-imports.ts';
import { getSettingsPath } from '@portal/contract/practice.ts';
import { useQuery } from '@tanstack/react-query';
import { describeCondition } from '../../components/team/rule-text.ts';
import { apiQuery } from '../../lib/api.ts';
import { DUTY_NAMES, formatClientCount } from '../../lib/client-labels.ts';
import { Stack } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './import-status.module.css';

type AssignmentPreviewProps = { companyId: string; importId: string; newClients: number };

export function AssignmentPreview({ companyId, importId, newClients }: AssignmentPreviewProps) {
  const query = useQuery({
    ...apiQuery(clientImportsApi.assignments, { company_id: companyId, import_id: importId }),
    enabled: newClients > 0,
  });
  if (newClients === 0 || query.data === undefined) return null;
  const { rules, unassigned } = query.data;
  const settings = (
    <TextLink to={`${getSettingsPath('team')}?${new URLSearchParams({ company_id: companyId })}`}>
      {rules.length === 0 ? 'Set up rules' : 'Change the rules'}
    </TextLink>
  );
  if (rules.length === 0) {
    return <Text className={styles.more}>The new clients will be unassigned. {settings} to assign them when they’re imported.</Text>;
  }
  return (
    <div className={styles.more}>
      <Text weight="medium">Assigned by your rules</Text>
      <Stack as="ul" gap={4} aria-label="Assigned by your rules">
        {rules.map((rule, place) => (
          <li key={`${place}-${rule.user_id}`}>
            {describeCondition(rule)}: {rule.is_active ? formatClientCount(rule.clients) : 'no clients, because'}
            {rule.is_active ? ` to ${rule.full_name} (${DUTY_NAMES[rule.duty]})` : ` ${rule.full_name} has left`}
          </li>
        ))}
      </Stack>
      <Text>
        {unassigned > 0 && `${formatClientCount(unassigned)} will be unassigned. `}
        {settings}
      </Text>
    </div>
  );
}
