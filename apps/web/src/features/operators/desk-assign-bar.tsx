/** Assigns the selected advances. Stays at the bottom of the window while rows are selected. */
import type { DeskRow } from '@portal/contract/desk.ts';
import { formatPounds, sumPence } from '@portal/domain/money.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { FilterPill } from '../../ui/filter-pill.tsx';
import { Text } from '../../ui/text.tsx';
import { useToast } from '../../ui/toast.tsx';
import styles from './desk-assign-bar.module.css';
import { useAssign, useOperators } from './use-desk.ts';

const UNASSIGNED = 'unassigned';

export function DeskAssignBar({ rows, onClear }: { rows: readonly DeskRow[]; onClear: () => void }) {
  const operators = useOperators();
  const assign = useAssign();
  const toast = useToast();
  const send = (operatorId: string | null): void =>
    assign.mutate(
      { rows, operatorId },
      {
        onSuccess: ({ assigned }) => {
          toast('success', `${assigned} ${assigned === 1 ? 'advance' : 'advances'} ${operatorId === null ? 'unassigned' : 'assigned'}`);
          onClear();
        },
      },
    );
  const options = [
    ...operators.map(({ user_id, name, is_you }) => ({ value: user_id, label: is_you ? `${name} (you)` : name })),
    { value: UNASSIGNED, label: 'Unassigned' },
  ];
  return (
    <div className={styles.bar} role="region" aria-label="Selected advances">
      <Text className={styles.count}>
        <strong>{rows.length}</strong> selected · {formatPounds(sumPence(rows.map(({ refund_pence }) => refund_pence)))}
      </Text>
      {assign.error && (
        <Text size="small" tone="error" role="alert">
          {getErrorText(assign.error)}
        </Text>
      )}
      <FilterPill
        label="Assign to"
        value={undefined}
        options={options}
        onSelect={(value) => value !== undefined && send(value === UNASSIGNED ? null : value)}
      />
      <Button size="small" variant="text" onClick={onClear}>
        Clear selection
      </Button>
    </div>
  );
}
