/** The figures of a group in words, as the client list writes those of a client. */
import type { ClientGroup } from '@portal/contract/client-groups.ts';
import { formatPounds, type Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { FiguresState } from '@portal/domain/positions/figures-state.ts';
import { DateText } from '../../components/formats/date-text.tsx';
import { KnownAmount, nothingDueText } from '../../components/practice/figures-label.tsx';
import { formatClientCount, getClientLink } from '../../lib/client-labels.ts';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';

/** Of the active clients together. */
export function getGroupState({ owed_pence: owed, incomplete_clients: incomplete }: ClientGroup): FiguresState {
  if (owed === null) return 'unread';
  return incomplete > 0 ? 'partial' : 'current';
}

/** A group without active clients has no amounts. */
export function GroupAmount({ group, amount }: { group: ClientGroup; amount: Pence | null }) {
  return group.active_clients === 0 ? <>–</> : <KnownAmount amount={amount} state={getGroupState(group)} />;
}

/** For example "7 Dec 2026, VAT payment £1,234.00, Oak Ltd". */
export function GroupNextDue({ companyId, group, today }: { companyId: string; group: ClientGroup; today: PlainDate }) {
  const { next_due_on: day, next_due_tax: tax, next_due_what: what, next_due_pence: amount, next_due_client: client } = group;
  if (group.active_clients === 0) return <>–</>;
  if (day === null || tax === null) return <>{nothingDueText(getGroupState(group))}</>;
  const to = client === null ? undefined : getClientLink(companyId, client.client_id);
  return (
    <>
      <Text as="span" weight="medium" tone={day < today ? 'error' : undefined}>
        <DateText date={day} style="short" />
        {day < today && ' late'}
      </Text>
      <Text as="div" size="small" tone="quiet">
        {`${tax.toUpperCase()} ${what ?? ''}${amount === null || what !== 'payment' ? '' : ` ${formatPounds(amount)}`}`}
        {client !== null && <>, {to === undefined ? client.name : <TextLink to={to}>{client.name}</TextLink>}</>}
      </Text>
    </>
  );
}

/** What the sums leave out: "2 of 5 clients not all read yet". Undefined if they cover every client. */
export function describeCover({ clients, active_clients: active, incomplete_clients: incomplete }: ClientGroup): string | undefined {
  const parts = [
    incomplete > 0 ? `Amounts of ${formatClientCount(incomplete)} are not all read yet` : '',
    clients > active ? `${formatClientCount(clients - active)} not active, not counted` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? undefined : `${parts.join('. ')}.`;
}
