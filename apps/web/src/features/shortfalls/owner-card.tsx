/** Shows and changes who handles the case. */
import { shortfallsApi } from '@portal/contract/shortfalls.ts';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { FieldFrame } from '../../ui/form-field.tsx';
import { Select } from '../../ui/input.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import type { OperatorShortfallProps } from './operator-shortfall-props.ts';
import { useShortfallAction } from './use-shortfall-action.ts';

export function OwnerCard({ data }: OperatorShortfallProps) {
  const { company, shortfall, owner, operators } = data;
  const assign = useShortfallAction(data, (ownerId: string) =>
    apiRequest(shortfallsApi.assign, { company_id: company.company_id, shortfall_id: shortfall.shortfall_id, owner_id: ownerId }),
  );
  return (
    <SectionCard title="Owner">
      <FieldFrame id="shortfall-owner" label="Assigned to" error={assign.error ? getErrorText(assign.error) : undefined}>
        <Select
          id="shortfall-owner"
          value={assign.isPending ? assign.variables : (owner?.user_id ?? '')}
          onChange={(event) => assign.mutate(event.target.value)}
          disabled={assign.isPending}
        >
          {owner === null && <option value="">Unassigned</option>}
          {operators.map(({ user_id, name }) => (
            <option key={user_id} value={user_id}>
              {name}
            </option>
          ))}
        </Select>
      </FieldFrame>
      {owner === null && <Text size="small">Assign the case to an operator.</Text>}
    </SectionCard>
  );
}
