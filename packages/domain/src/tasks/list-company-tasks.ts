/** Lists the next steps for a company's owner, based on current facts. The dashboard, /pending-tasks and the menu all show this list. */
import type { Price } from '../advances/price-refund.ts';
import { toLondonDate, type Instant } from '../clock.ts';
import { formatPounds, type Pence } from '../money.ts';
import { formatDate, type PlainDate } from '../plain-date.ts';
import { countWorkingDaysBetween } from '../uk-tax/calendar/working-days.ts';
import { getValueOrForecast } from '../uk-tax/known.ts';
import type { VatDirection } from '../uk-tax/vat/nine-boxes.ts';
import type { HmrcStatus } from '../vat-returns/hmrc-status.ts';
import type { ReturnState } from '../vat-returns/return-state.ts';
import type { CompanyTask, TaskDraft } from './company-task.ts';
import { listAdvanceTasks, listEarlierDifferenceTasks, type TaskAdvance, type TaskDifference } from './list-advance-tasks.ts';

type TaskReturn = {
  readonly obligation_id: string;
  readonly period_end: PlainDate;
  readonly due_on: PlainDate;
  readonly state: ReturnState;
  readonly overdue: boolean;
  /** Box 5 according to the books; null if there are no figures. */
  readonly estimate: { readonly direction: VatDirection; readonly box5: Pence } | null;
  /** The price if we bought the refund; null if there's no refund to buy. */
  readonly price: Price | null;
};

export type CompanyTaskFacts = {
  readonly today: PlainDate;
  readonly hmrc: Exclude<HmrcStatus, 'ending'>;
  /** When the access granted at HMRC expires, if that is soon; otherwise null. */
  readonly permissionEndsAt: Instant | null;
  readonly hasBooks: boolean;
  /** The bookkeeping software that the trader also files with. Undefined if they upload their books here. */
  readonly filingSoftware: string | undefined;
  readonly hasBankAccount: boolean;
  readonly returns: readonly TaskReturn[];
  /** The newest one. */
  readonly advance: TaskAdvance | undefined;
  /** All that are due, the oldest first. */
  readonly differences: readonly TaskDifference[];
};

/** Lists the tasks, most urgent first. */
export function listCompanyTasks(facts: CompanyTaskFacts): CompanyTask[] {
  const drafts = [
    ...listConnectionTasks(facts),
    ...(facts.hasBooks || facts.filingSoftware !== undefined ? [] : [UPLOAD_BOOKS]),
    ...facts.returns.flatMap((taskReturn) => describeReturn(taskReturn, facts) ?? []),
    ...listEarlierDifferenceTasks(facts.differences, facts.advance),
    ...listAdvanceTasks(facts.advance),
    ...(facts.hasBankAccount ? [] : [ADD_BANK_ACCOUNT]),
  ];
  return sortTasks(
    drafts.map((draft) => ({
      level: 'to_do',
      obligation_id: null,
      due_on: null,
      overdue: false,
      ends_at: null,
      refund: null,
      ...draft,
      working_days_left: draft.due_on ? countWorkingDays(facts.today, draft.due_on) : null,
    })),
  );
}

type Urgency = Pick<CompanyTask, 'level' | 'due_on' | 'ends_at'>;

/** Sorts problems first, then by deadline, with tasks that don't have one last. */
export function sortTasks<Task extends Urgency>(tasks: readonly Task[]): Task[] {
  const getDay = ({ due_on, ends_at }: Urgency): string => due_on ?? ends_at?.slice(0, 10) ?? '9999-12-31';
  return tasks.toSorted(
    (a, b) => Number(b.level === 'problem') - Number(a.level === 'problem') || (getDay(a) < getDay(b) ? -1 : getDay(a) > getDay(b) ? 1 : 0),
  );
}

function countWorkingDays(today: PlainDate, dueOn: PlainDate): number {
  return Math.max(0, getValueOrForecast(countWorkingDaysBetween(today, dueOn)) ?? 0);
}

const UPLOAD_BOOKS: TaskDraft = {
  kind: 'add_books',
  subject: 'books',
  title: 'Upload your books',
  why: 'We work out your VAT return from them.',
  action: 'Upload books',
  page: 'stepBookkeeping',
};

const ADD_BANK_ACCOUNT: TaskDraft = {
  kind: 'add_bank_account',
  subject: 'bank',
  title: 'Add your bank account',
  why: 'We need to know where to pay your refund.',
  action: 'Add bank account',
  page: 'stepBankAccount',
};

function listConnectionTasks({ hmrc, permissionEndsAt }: CompanyTaskFacts): TaskDraft[] {
  const connect = { kind: 'connect_hmrc', subject: 'connection', page: 'linkHmrcAccount' } as const;
  switch (hmrc) {
    case 'connected':
      return permissionEndsAt === null
        ? []
        : [
            {
              ...connect,
              kind: 'renew_hmrc',
              title: 'Renew your HMRC connection',
              why: 'It lasts 18 months and can’t be extended. Renew it before it ends to avoid any interruption.',
              action: 'Renew permission',
              due_on: toLondonDate(permissionEndsAt),
              ends_at: permissionEndsAt,
            },
          ];
    case 'lapsed':
      return [
        {
          ...connect,
          level: 'problem',
          title: 'Connect HMRC again',
          why: 'Our connection to your HMRC account has ended. Your filed returns aren’t affected, but we can’t file or get new figures until you connect again.',
          action: 'Connect HMRC again',
        },
      ];
    case 'declined':
      return [
        {
          ...connect,
          title: 'Connect HMRC',
          why: 'You didn’t grant access at HMRC. Without it, we can’t see which returns are due or file them.',
          action: 'Connect HMRC',
        },
      ];
    case 'not_connected':
      return [
        {
          ...connect,
          title: 'Connect HMRC',
          why: 'We need your permission to see which returns are due and to file them.',
          action: 'Connect HMRC',
        },
      ];
  }
}

function describeReturn(taskReturn: TaskReturn, { hasBooks, filingSoftware }: CompanyTaskFacts): TaskDraft | undefined {
  const end = formatDate(taskReturn.period_end);
  const commonFields = {
    subject: 'return',
    page: 'vatReturn',
    obligation_id: taskReturn.obligation_id,
    due_on: taskReturn.due_on,
    overdue: taskReturn.overdue,
    level: taskReturn.overdue ? 'problem' : 'to_do',
  } as const;
  switch (taskReturn.state) {
    case 'outcome_unknown':
      return {
        ...commonFields,
        kind: 'find_outcome',
        level: 'problem',
        title: `Check whether HMRC has your return to ${end}`,
        why: 'We sent it, but HMRC’s response was lost. Don’t file it anywhere else. We’ll check with HMRC and never file it twice.',
        action: 'Check with HMRC',
      };
    case 'refused':
      return {
        ...commonFields,
        kind: 'fix_return',
        level: 'problem',
        title: `HMRC rejected your return to ${end}`,
        why: 'Nothing was filed. See why and what to change.',
        action: 'See why',
      };
    case 'ready':
      return {
        ...commonFields,
        kind: 'file_return',
        title: `File your VAT return to ${end}`,
        why: `${describeLateness(taskReturn)}${describeAmount(taskReturn)}`,
        action: 'Check and file',
        refund: taskReturn.price,
      };
    case 'no_books':
      return filingSoftware !== undefined && !hasBooks
        ? {
            ...commonFields,
            kind: 'file_elsewhere',
            title: `File your VAT return to ${end} with ${filingSoftware}`,
            why: `${describeLateness(taskReturn)}Once HMRC has it, we’ll find it there and offer you the refund early. Or upload your books and file it here.`,
            action: 'See the return',
          }
        : {
            ...commonFields,
            kind: 'add_books_for_period',
            subject: 'books',
            page: 'stepBookkeeping',
            title: `Upload your books to ${end}`,
            why: `${describeLateness(taskReturn)}The period has ended, but your books have no transactions in it.`,
            action: 'Upload books',
          };
    default:
      return undefined;
  }
}

/** HMRC may withhold repayments while a return is missing (VAT Act 1994, section 25(5)). */
function describeLateness({ overdue, due_on }: TaskReturn): string {
  return overdue
    ? `It was due on ${formatDate(due_on)}. HMRC may add a penalty point, and won’t pay refunds while a return is outstanding. `
    : '';
}

function describeAmount({ estimate, price, due_on, overdue }: TaskReturn): string {
  if (estimate === null) return 'The period has ended and your figures are ready.';
  const amount = formatPounds(estimate.box5);
  switch (estimate.direction) {
    case 'repayment':
      return price === null
        ? `HMRC owes you ${amount}.`
        : `HMRC owes you ${amount}. File now and you could get ${formatPounds(price.net)} early, usually within 24 hours of our checks.`;
    case 'payment':
      return overdue ? `You owe HMRC ${amount}.` : `You owe HMRC ${amount}. Your payment must reach HMRC by ${formatDate(due_on)}.`;
    case 'nil':
      return 'There’s nothing to pay or reclaim, but HMRC still expects the return.';
  }
}
