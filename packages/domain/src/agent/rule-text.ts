/** Text and lookups shared by the rules. */
import { describeDeadline } from '../messages/describe-deadline.ts';
import { formatPounds, pence, type Pence } from '../money.ts';
import { addDays, formatDate, type PlainDate } from '../plain-date.ts';
import { getItemName } from '../positions/item-names.ts';
import type { Tax } from '../uk-tax/tax.ts';
import type { WorkService } from '../work-items/work-item.ts';
import type { AgentItem, AgentTax, ClientFacts } from './agent-facts.ts';
import type { AgentFact, FactPage, Finding, RuleContext, Threshold } from './agent-rule.ts';

export const TAX_LABELS: Readonly<Record<Tax, string>> = { vat: 'VAT', paye: 'PAYE', ct: 'Corporation tax', sa: 'Self Assessment' };

const TAX_SERVICES: Readonly<Record<Tax, WorkService>> = { vat: 'vat', paye: 'payroll', ct: 'accounts', sa: 'self_assessment' };
export const getService = (tax: Tax): WorkService => TAX_SERVICES[tax];

/** Returns true for clients that the practice currently works for. */
export const isCurrent = ({ status }: ClientFacts): boolean => status === 'active';

/**
 * Returns the colleague to assign a client's work to: its manager, or otherwise another assigned colleague; null if the client is
 * unassigned.
 */
export function findOwner({ members }: ClientFacts): string | null {
  return (members.find(({ duty }) => duty === 'manager') ?? members[0])?.user_id ?? null;
}

/** Returns an item's legal name, including its tax: “VAT return”, “VAT quarterly update”. */
export function formatItemName({ tax, kind, what }: AgentItem): string {
  if (what !== 'refund' && (kind === 'return' || kind === 'payment')) return describeDeadline(tax, what);
  return `${TAX_LABELS[tax]} ${getItemName(kind)}`;
}

export function formatForPeriod({ period_end: end }: Pick<AgentItem, 'period_end'>): string {
  return end === null ? '' : ` for the period to ${formatDate(end)}`;
}

/** Creates a fact recorded by the practice itself. */
export function toPracticeFact(label: string, text: string, page: FactPage = 'client'): AgentFact {
  return { label, text, page, source: 'practice', as_of: null };
}

/** Creates a fact about a tax, with the source and age of the client's figures. */
export function toTaxFact(figures: AgentTax | undefined, label: string, text: string): AgentFact {
  return { label, text, page: 'client', source: figures?.source ?? 'rule', as_of: figures?.as_of ?? null };
}

export function toItemFact({ figures }: ClientFacts, item: AgentItem): AgentFact {
  const asOf = item.source === 'rule' ? null : (figures.find(({ tax }) => tax === item.tax)?.as_of ?? null);
  const amount = item.amount_pence === null ? '' : `, ${formatPounds(pence(Math.abs(item.amount_pence)))}`;
  return {
    label: `${capitalise(formatItemName(item))}${formatForPeriod(item)}`,
    text: `due on ${formatDate(item.due_on)}${amount}`,
    page: 'client',
    source: item.source,
    as_of: asOf,
  };
}

export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Lists the figures for those of the client's taxes that we've read. */
export function listReadFigures({ figures, taxes }: ClientFacts): readonly AgentTax[] {
  return figures.filter(({ is_read: isRead, tax }) => isRead && taxes.includes(tax));
}

/** Lists items of a kind that fall due within a number of days from today. */
export function listDueItems({ items }: ClientFacts, today: PlainDate, days: number, isWanted: (item: AgentItem) => boolean): AgentItem[] {
  const last = addDays(today, days);
  return items.filter((item) => item.due_on >= today && item.due_on <= last && isWanted(item));
}

/**
 * Returns an item's permanent identifier. HMRC's key can change when a read replaces a calculated date, so the end of the period is used if
 * there is one.
 */
export function getItemId({ tax, kind, period_end: end, key, due_on: due }: AgentItem): string {
  return `${tax} ${kind === 'final_declaration' ? 'return' : kind} ${end ?? `${key} ${due}`}`;
}

const SIGNATURE = 'Kind regards\n{sender}\n{practice}';

/** Writes a message to the client, laid out like a letter. */
export function writeMessage(subject: string, paragraphs: readonly string[]) {
  return { kind: 'message', subject: `{client}: ${subject}`, body: ['Hello,', ...paragraphs, SIGNATURE].join('\n\n') } as const;
}

export const formatAmount = (amount: Pence | number): string => formatPounds(pence(amount));

/** Lists the client's overdue amounts. Those without a date are left out, because we don't know how late they are. */
export function listLateFigures(client: ClientFacts): (AgentTax & { readonly overdue_since: PlainDate })[] {
  if (!isCurrent(client)) return [];
  return listReadFigures(client).flatMap((tax) =>
    tax.overdue_since !== null && tax.overdue_pence > 0 ? [{ ...tax, overdue_since: tax.overdue_since }] : [],
  );
}

/** If one more late VAT return would cost the client £200, returns its penalty points and a sentence explaining this. */
export function findPointsNearPenalty(client: ClientFacts) {
  const vat = listReadFigures(client).find(({ tax }) => tax === 'vat');
  if (!vat || vat.points === null || vat.points_threshold === null || vat.points < vat.points_threshold - 1) return undefined;
  const { points, points_threshold: limit } = vat;
  const state =
    points >= limit
      ? `HMRC’s threshold of ${limit} penalty points has been reached`
      : `HMRC has already given ${points} of ${limit} penalty points`;
  const warning = `For late VAT returns, ${state}, so if this one is late, HMRC will charge a £200 penalty.`;
  return { vat, points, limit, warning };
}

/** Returns the median in whole pence; undefined for an empty list. */
export function getMedian(numbers: readonly number[]): number | undefined {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [lower, upper] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return lower === undefined || upper === undefined ? undefined : Math.round((lower + upper) / 2);
}

/** Creates a threshold in pounds, below which a rule makes no proposal. */
export const createPoundsThreshold = (text: string, normal: number): Threshold => ({
  unit: 'pence',
  text,
  normal,
  min: 0,
  max: 100_000_000,
  isFloor: true,
});

type NewTask = { readonly title: string; readonly notes: string; readonly inDays: number; readonly service?: WorkService };

/** Creates a task for the client's owner, due a number of days from today. */
export const createTaskAction = (client: ClientFacts, { today }: RuleContext, { title, notes, inDays, service = 'other' }: NewTask) =>
  ({ kind: 'task', title, notes, service, due_on: addDays(today, inDays), owner_id: findOwner(client) }) as const;

/** Creates a finding about the client itself, without a due date. */
export const createFinding = (
  subject: string,
  title: string,
  facts: readonly [AgentFact, ...AgentFact[]],
  action: Finding['act'],
): Finding => ({
  subject,
  title,
  tax: null,
  facts,
  act: action,
  due_on: null,
});
