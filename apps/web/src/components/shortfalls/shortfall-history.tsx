/** The history of a case, newest first. */
import type { ShortfallOutput } from '@portal/contract/shortfalls.ts';
import { InstantText } from '../formats/date-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './shortfall-history.module.css';

export function ShortfallHistory({ events }: { events: ShortfallOutput['events'] }) {
  return (
    <SectionCard title="History">
      <Stack as="ol" gap={0} className={styles.list}>
        {events.map(({ at, by, text }, index) => (
          <li key={`${at}-${events.length - index}`}>
            <Text>{text}</Text>
            <Text size="small" tone="quiet">
              <InstantText at={at} />, {by}
            </Text>
          </li>
        ))}
      </Stack>
    </SectionCard>
  );
}
