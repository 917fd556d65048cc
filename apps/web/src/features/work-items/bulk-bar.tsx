/** The actions for the selected tasks. */
import { UNASSIGNED } from '@portal/domain/clients/client.ts';
import { WORK_STATUS_NAMES, WORK_STATUSES, type WorkStatus } from '@portal/domain/work-items/work-item.ts';
import { Button } from '../../ui/button.tsx';
import { Row } from '../../ui/layout.tsx';
import { Select } from '../../ui/input.tsx';
import { Text } from '../../ui/text.tsx';
import { formatTaskCount, type WorkChange } from './use-work.ts';
import { createChangeFormatter, type Changes } from './work-facts.tsx';
import { useMembers } from './work-filters.tsx';

type BulkBarProps = { companyId: string; selected: ReadonlySet<string>; changes: Changes; onDone: () => void };

export function BulkBar({ companyId, selected, changes, onDone }: BulkBarProps) {
  const members = useMembers(companyId);
  const run = (input: Omit<WorkChange, 'item_ids'>, actionName: string) =>
    changes.change.mutate(
      { input: { item_ids: [...selected], ...input }, formatMessage: createChangeFormatter(actionName) },
      { onSuccess: onDone },
    );
  const isBusy = changes.change.isPending;
  return (
    <Row role="group" aria-label="Selected tasks" gap={8}>
      <Text weight="medium">{formatTaskCount(selected.size)} selected</Text>
      <Select
        small
        widthInCharacters={16}
        aria-label="Reassign to"
        value=""
        disabled={isBusy}
        onChange={({ target }) => run({ owner_id: target.value === UNASSIGNED ? null : target.value }, 'reassigned')}
      >
        <option value="">Reassign to…</option>
        {members.map(({ user_id: id, full_name: name, is_you: isYou }) => (
          <option key={id} value={id}>
            {isYou ? `${name} (you)` : name}
          </option>
        ))}
        <option value={UNASSIGNED}>Unassigned</option>
      </Select>
      <Select
        small
        widthInCharacters={16}
        aria-label="Move to"
        value=""
        disabled={isBusy}
        onChange={({ target }) => {
          const status = target.value as WorkStatus;
          run({ status }, `moved to “${WORK_STATUS_NAMES[status]}”`);
        }}
      >
        <option value="">Move to…</option>
        {WORK_STATUSES.map((status) => (
          <option key={status} value={status}>
            {WORK_STATUS_NAMES[status]}
          </option>
        ))}
      </Select>
      <Button variant="outlined" size="small" tone="error" disabled={isBusy} onClick={() => run({ remove: true }, 'deleted')}>
        Delete
      </Button>
      <Button variant="text" size="small" onClick={onDone}>
        Clear selection
      </Button>
    </Row>
  );
}
