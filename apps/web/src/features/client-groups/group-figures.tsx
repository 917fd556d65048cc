/** Formats a client group's figures in the same way as the client list formats a client's. */
import type { ClientGroup } from '@portal/contract/client-groups.ts';
import { formatPounds, type Pence } from '@portal/domain/money.ts';
import { getItemName } from '@portal/domain/positions/item-names.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { FiguresState } from '@portal/domain/positions/figures-state.ts';
import { DateText } from '../../components/formats/date-text.tsx';
import { describeNothingDue, KnownAmount } from '../../components/practice/figures-label.tsx';
import { formatClientCount, getClientLink } from '../../lib/client-labels.ts';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';

/** Returns how complete the combined figures of the group's active clients are. */
export function getGroupState({ owed_pence: owedAmount, incomplete_clients: incompleteCount }: ClientGroup): FiguresState {
  if (owedAmount === null) return 'unread';
  return incompleteCount > 0 ? 'partial' : 'current';
}

/** Shows an amount, or null if the group has no active clients. */
export function renderGroupAmount(group: ClientGroup, amount: Pence | null) {
  return group.active_clients === 0 ? null : <KnownAmount amount={amount} state={getGroupState(group)} />;
}

/** Returns the main figure of a card with the text to add to its label, for example "£1,234.00" and ", at least". */
export function describeTotal(group: ClientGroup, amount: Pence | null): { readonly figure: string; readonly coverage: string } {
  if (group.active_clients === 0) return { figure: '–', coverage: '' };
  const state = getGroupState(group);
  if (amount === null || state === 'unread') return { figure: 'Not known', coverage: ', not updated yet' };
  if (amount > 0) return { figure: formatPounds(amount), coverage: state === 'partial' ? ', at least' : '' };
  return state === 'partial' ? { figure: 'Not known', coverage: ', some not updated yet' } : { figure: 'Nil', coverage: '' };
}

type GroupProps = { companyId: string; group: ClientGroup; today: PlainDate };

/** Shows the next due date, for example "7 Dec 2026". */
export function GroupNextDueDate({ group, today }: Pick<GroupProps, 'group' | 'today'>) {
  const { next_due_on: day } = group;
  if (group.active_clients === 0) return <>–</>;
  if (day === null) return <>{describeNothingDue(getGroupState(group))}</>;
  return (
    <>
      <DateText date={day} style="short" />
      {day < today && ' late'}
    </>
  );
}

/** Shows the next due item, for example "VAT payment £1,234.00, Oak Ltd". */
export function GroupNextItem({ companyId, group }: Pick<GroupProps, 'companyId' | 'group'>) {
  const { next_due_tax: tax, next_due_what: itemKind, next_due_pence: amount, next_due_client: client } = group;
  if (tax === null) return null;
  const to = client === null ? undefined : getClientLink(companyId, client.client_id);
  return (
    <Text as="div" size="small" tone="quiet">
      {`${tax.toUpperCase()} ${itemKind === null ? '' : getItemName(itemKind)}${amount === null || itemKind === 'return' ? '' : ` ${formatPounds(amount)}`}`}
      {client !== null && <>, {to === undefined ? client.name : <TextLink to={to}>{client.name}</TextLink>}</>}
    </Text>
  );
}

/** Shows the next due date and item in a table cell. */
export function GroupNextDue({ companyId, group, today }: GroupProps) {
  const isLate = group.next_due_on !== null && group.next_due_on < today;
  return (
    <>
      <Text as="span" weight="medium" tone={isLate ? 'error' : undefined}>
        <GroupNextDueDate group={group} today={today} />
      </Text>
      <GroupNextItem companyId={companyId} group={group} />
    </>
  );
}

/** Describes which clients the totals don't fully include, or returns undefined if they include every client. */
export function describeCoverage({
  clients,
  active_clients: activeClients,
  incomplete_clients: incompleteCount,
}: ClientGroup): string | undefined {
  const parts = [
    incompleteCount > 0 ? `Some amounts for ${formatClientCount(incompleteCount)} aren’t known yet` : '',
    clients > activeClients ? `${formatClientCount(clients - activeClients)} inactive, not included` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? undefined : `${parts.join('. ')}.`;
}
