import type { PortalItem } from '@portal/contract/client-portal.ts';
import { sumPence } from '@portal/domain/money.ts';
import { countDaysBetween, type PlainDate } from '@portal/domain/plain-date.ts';
import { MoneyText } from '../../components/formats/money-text.tsx';
import { clientDate, clientText } from '../../lib/client-texts/client-texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { describeItem } from './item-text.ts';

type NextDueProps = { overdue: readonly PortalItem[]; coming: readonly PortalItem[]; today: PlainDate };

/** The most important fact: what is overdue, or else what is due next. */
export function NextDue({ overdue, coming, today }: NextDueProps) {
  if (overdue.length > 0) return <OverdueItems items={overdue} />;
  const [next] = coming;
  if (next === undefined) return null;
  const days = countDaysBetween(today, next.due_on);
  return (
    <SectionCard title={clientText('next.title')}>
      <Stack gap={4}>
        {next.what === 'payment' && next.amount_pence !== null && <MoneyText pence={next.amount_pence} size="figure" />}
        <Text weight="medium">
          {describeItem(next)}
          {next.what === 'payment' && next.amount_pence === null && clientText('next.unknown')}
        </Text>
        <Text>
          {days === 0
            ? clientText('next.today', { date: clientDate(next.due_on) })
            : days === 1
              ? clientText('next.tomorrow', { date: clientDate(next.due_on) })
              : clientText('next.in_days', { date: clientDate(next.due_on), count: days })}
        </Text>
      </Stack>
    </SectionCard>
  );
}

function OverdueItems({ items }: { items: readonly PortalItem[] }) {
  const knownAmounts = items.flatMap(({ what, amount_pence: amount }) => (what === 'payment' && amount !== null ? [amount] : []));
  const returns = items.filter(({ what }) => what === 'return').length;
  return (
    <SectionCard>
      <Row wrap={false} align="start">
        <Icon name="errorCircle" tone="error" />
        <Stack gap={4}>
          {knownAmounts.length > 0 && <MoneyText pence={sumPence(knownAmounts)} size="figure" />}
          <Text weight="medium" tone="error">
            {knownAmounts.length > 0 && returns === 0 && clientText('overdue.amount')}
            {knownAmounts.length > 0 && returns > 0 && clientText('overdue.amount_and_returns', { count: returns })}
            {knownAmounts.length === 0 && returns > 0 && clientText('overdue.returns', { count: returns })}
            {knownAmounts.length === 0 && returns === 0 && clientText('overdue.unknown')}
          </Text>
          <Text size="small" tone="quiet">
            {clientText(items.every(({ what }) => what === 'return') ? 'overdue.hint.returns' : 'overdue.hint')}
          </Text>
        </Stack>
      </Row>
    </SectionCard>
  );
}
