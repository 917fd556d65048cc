/** Lists who changed the advance's state, when and why, newest first. */
import { InstantText } from '../../components/formats/date-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { ADVANCE_CHIPS, getActorName } from './advance-labels.ts';
import styles from './history-card.module.css';
import type { OperatorPartProps } from './operator-outputs.ts';

export function HistoryCard({ data }: OperatorPartProps) {
  return (
    <SectionCard title="History">
      <Stack as="ol" gap={0} className={styles.history}>
        {data.history.toReversed().map((move) => (
          <li key={`${move.at}${move.to}`}>
            <StateChip {...ADVANCE_CHIPS[move.to]} />
            <Text size="small" className={styles.when}>
              <InstantText at={move.at} /> by {getActorName(move.actor)}
            </Text>
            {move.reason !== '' && (
              <Text size="small" tone="quiet">
                {move.reason}
              </Text>
            )}
          </li>
        ))}
      </Stack>
    </SectionCard>
  );
}
