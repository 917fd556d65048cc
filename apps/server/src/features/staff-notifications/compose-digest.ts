/**
 * Composes the text of a digest. It includes clients and events, but no amounts, because emails are read and forwarded outside the portal.
 */
import { formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { getItemName } from '@portal/domain/positions/item-names.ts';
import type { PositionChangeKind } from '@portal/domain/positions/describe-position-change.ts';
import { TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import type { EmailContent, EmailFact } from '../../mail/email-content.ts';
import { DIGEST_DAYS_AHEAD, type OwnFacts } from './digest-facts.ts';

export type DigestNotification = { readonly kind: string; readonly title: string };

const MAX_LISTED = 10;
const MAX_TITLES = 20;

const CHANGE_LABELS: Readonly<Record<PositionChangeKind, string>> = {
  first_figures: 'first figures',
  overdue: 'overdue amount',
  owed: 'amount owed',
  refund: 'refund due',
  returns: 'overdue returns',
  penalty: 'penalties',
  next_due: 'next deadline',
};

type Digest = OwnFacts & {
  readonly notifications: readonly DigestNotification[];
  readonly today: PlainDate;
  readonly isWeekly: boolean;
  readonly isMorning: boolean;
  readonly practice: string;
};

/** Returns undefined if there is nothing to report. */
export function composeDigest({
  changes,
  due,
  tasks,
  notifications,
  today,
  isWeekly,
  isMorning,
  practice,
}: Digest): Pick<EmailContent, 'subject' | 'preheader' | 'heading' | 'paragraphs' | 'facts'> | undefined {
  const changedCount = new Set(changes.map(({ clientId }) => clientId)).size;
  const since = isWeekly ? 'in the last seven days' : 'since yesterday';
  const counts = [
    ...(changedCount > 0
      ? [`${format(changedCount)} ${changedCount === 1 ? 'client’s figures have' : 'clients’ figures have'} changed ${since}.`]
      : []),
    ...(due.length > 0
      ? [
          `${format(due.length)} ${due.length === 1 ? 'return or payment is' : 'returns and payments are'} due in the next ${DIGEST_DAYS_AHEAD} days.`,
        ]
      : []),
    ...(tasks > 0 ? [`${format(tasks)} of your tasks ${tasks === 1 ? 'is' : 'are'} due by then.`] : []),
    ...(notifications.length > 0
      ? [`${format(notifications.length)} ${notifications.length === 1 ? 'notification' : 'notifications'}.`]
      : []),
  ];
  if (counts.length === 0) return undefined;
  return {
    subject: `${practice}: ${isWeekly ? 'your week' : 'your day'}, ${formatDate(today)}`,
    preheader: counts.join(' '),
    heading: isWeekly ? 'Your week' : isMorning ? 'Good morning' : 'Your day',
    paragraphs: [counts.join('\n'), ...(notifications.length > 0 ? [formatTitles(notifications)] : [])],
    facts: [
      ...listFacts(due, ({ name, tax, kind, dueOn }): EmailFact => [
        `${name}: ${TAX_NAMES[tax]} ${getItemName(kind)}`,
        `due ${formatDate(dueOn)}`,
      ]),
      ...listFacts(changes, ({ name, tax, kinds }): EmailFact => [
        `${name}: ${TAX_NAMES[tax]}`,
        `changed: ${kinds.map((kind) => CHANGE_LABELS[kind]).join(', ')}`,
      ]),
    ],
  };
}

function formatTitles(notifications: readonly DigestNotification[]): string {
  const remainingCount = notifications.length - MAX_TITLES;
  return [
    ...notifications.slice(0, MAX_TITLES).map(({ title }) => `• ${title}`),
    ...(remainingCount > 0 ? [`and ${format(remainingCount)} more`] : []),
  ].join('\n');
}

function listFacts<Item>(items: readonly Item[], toFact: (item: Item) => EmailFact): EmailFact[] {
  const remainingCount = items.length - MAX_LISTED;
  return [...items.slice(0, MAX_LISTED).map(toFact), ...(remainingCount > 0 ? [[`and ${format(remainingCount)} more`, ''] as const] : [])];
}

const format = (count: number): string => count.toLocaleString('en-GB');
