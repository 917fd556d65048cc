/** Lists things to check before filing: large changes and repeated rows that may prompt questions from HMRC. None of them blocks filing. */
import type { VatReturnOutput } from '@portal/contract/vat-returns.ts';
import { Icon } from '../../ui/icon.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';

export function ChecksCard({ data }: { data: VatReturnOutput }) {
  if (data.checks.length === 0) {
    return (
      <SectionCard title="Checks">
        <Row gap={8} wrap={false} align="start">
          <Icon name="check" tone="success" />
          <Text measure>No issues found: no duplicate rows, and no figures that differ significantly from your earlier returns.</Text>
        </Row>
      </SectionCard>
    );
  }
  const warnings = data.checks.filter((check) => check.severity === 'warn').length;
  return (
    <SectionCard title={warnings === 0 ? 'Checks' : `Check ${warnings === 1 ? 'this' : `these ${warnings} points`} before you file`}>
      <Stack as="ul" gap={8}>
        {data.checks.map((check) => (
          <Row as="li" key={check.sentence} gap={8} wrap={false} align="start">
            <Icon
              name={check.severity === 'warn' ? 'warning' : 'info'}
              title={check.severity === 'warn' ? 'Warning' : 'Information'}
              tone={check.severity === 'warn' ? 'warning' : 'info'}
            />
            <Text measure>{check.sentence}</Text>
          </Row>
        ))}
      </Stack>
    </SectionCard>
  );
}
