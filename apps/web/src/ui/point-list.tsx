import { Icon, type IconName } from './icon.tsx';
import { Row, Stack } from './layout.tsx';
import type { Tone } from './tone.ts';

type PointListProps = { points: readonly string[]; icon?: IconName; tone?: Tone };

/** A list of short statements, each with the same icon. */
export function PointList({ points, icon = 'check', tone = 'success' }: PointListProps) {
  return (
    <Stack as="ul" gap={8}>
      {points.map((point) => (
        <Row as="li" key={point} gap={8} align="start" wrap={false}>
          <Icon name={icon} tone={tone} size={20} />
          <span>{point}</span>
        </Row>
      ))}
    </Stack>
  );
}
