/** The tasks of one company, from its dashboard: the reason, the deadline and the button text of each. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import type { PendingTask } from '@portal/contract/tasks.ts';
import { londonDate, type Instant } from '@portal/domain/clock.ts';
import { formatPounds } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { valueOrForecast } from '@portal/domain/uk-tax/known.ts';
import { workingDaysBetween } from '@portal/domain/uk-tax/calendar/working-days.ts';
import { endsSoon } from '../connections/connection-status.ts';

export type CompanyFacts = {
  readonly dashboard: DashboardOutput;
  readonly consentEndsAt: Instant | null;
  /** The time at which the open offer expires. */
  readonly validUntil: Instant | null;
  readonly now: Instant;
};

type TaskTexts = { readonly subject: PendingTask['subject']; readonly why: string; readonly action: string };

const TEXTS_BY_TASK: Readonly<Record<string, TaskTexts>> = {
  connect_hmrc: {
    subject: 'connection',
    why: 'Without HMRC’s permission, we can’t see or file your returns.',
    action: 'Connect HMRC',
  },
  add_books: {
    subject: 'books',
    why: 'We work out the return from your books, and you haven’t uploaded any yet.',
    action: 'Upload your books',
  },
  find_outcome: {
    subject: 'return',
    why: 'HMRC’s response was lost. Don’t file again. We’re checking whether HMRC has the return.',
    action: 'Check',
  },
  file_return: { subject: 'return', why: 'The period has ended and your figures are ready.', action: 'Check and file' },
  file_elsewhere: {
    subject: 'return',
    why: 'The period has ended. File your return, and we’ll find it at HMRC and offer you its refund. Or upload your books and file here.',
    action: 'See the return',
  },
  fix_return: { subject: 'return', why: 'HMRC didn’t accept it, so it hasn’t been filed.', action: 'See why' },
  add_books_for_period: {
    subject: 'books',
    why: 'The period has ended, but your books have no transactions for it.',
    action: 'Upload the books',
  },
  accept_offer: { subject: 'advance', why: 'We’ve offered to pay your refund early, before HMRC does.', action: 'See the offer' },
  confirm_collection_account: {
    subject: 'advance',
    why: 'We’ll pay you once you’ve asked HMRC to repay into this account.',
    action: 'See the account',
  },
  add_bank_account: { subject: 'bank', why: 'We need to know where to pay your refund.', action: 'Add the account' },
};

export function describeCompanyTasks(facts: CompanyFacts): PendingTask[] {
  const { dashboard, validUntil } = facts;
  const company = { company_id: dashboard.company.company_id, name: dashboard.company.name };
  const dashboardTasks = dashboard.tasks.map(({ task, title, path, obligation_id }): PendingTask => {
    const texts = TEXTS_BY_TASK[task];
    // Every dashboard task needs texts here. A test covers all of them.
    if (texts === undefined) throw new RangeError(`no texts for the task ${task}`);
    const isReturn = texts.subject === 'return' || task === 'add_books_for_period';
    const obligation = isReturn ? dashboard.obligations.find((candidate) => candidate.obligation_id === obligation_id) : undefined;
    return {
      task_id: [task, company.company_id, obligation_id].filter((part) => part !== undefined).join(':'),
      company,
      title,
      ...texts,
      ...toDueDate(obligation?.due_on ?? null, dashboard.today),
      overdue: obligation?.overdue ?? false,
      ends_at: task === 'accept_offer' ? validUntil : null,
      path,
    };
  });
  return [...dashboardTasks, ...describeAdvanceProblem(dashboard, company), ...describeExpiringConnection(facts, company)];
}

function toDueDate(due_on: PlainDate | null, today: PlainDate): Pick<PendingTask, 'due_on' | 'working_days_left'> {
  if (due_on === null) return { due_on: null, working_days_left: null };
  return { due_on, working_days_left: Math.max(0, valueOrForecast(workingDaysBetween(today, due_on)) ?? 0) };
}

/** What the trader can do about an advance with a problem. */
function describeAdvanceProblem({ advance }: DashboardOutput, company: NonNullable<PendingTask['company']>): PendingTask[] {
  if (advance === null) return [];
  const net = formatPounds(advance.net_pence);
  const texts =
    advance.state === 'quoted' && !advance.eligible
      ? {
          title: 'Fix what’s holding up your offer',
          why: `We could pay you ${net} early, but at least one condition isn’t met yet.`,
          action: 'See the conditions',
        }
      : advance.state === 'payout_failed'
        ? {
            title: 'Check your bank account',
            why: `Your bank didn’t accept the payment of ${net}. The money is safe with us.`,
            action: 'See the payment',
          }
        : advance.state === 'shortfall' || advance.state === 'collecting'
          ? {
              title: 'HMRC repaid less than you claimed',
              why: 'You owe us the difference. See how much it is and how we’ll collect it.',
              action: 'See the difference',
            }
          : undefined;
  if (texts === undefined) return [];
  return [
    {
      task_id: `advance_${advance.state}:${advance.advance_id}`,
      subject: 'advance',
      company,
      ...texts,
      due_on: null,
      working_days_left: null,
      overdue: false,
      ends_at: null,
      path: `/v2/instant-vat/dashboard/advance?company_id=${company.company_id}&obligation_id=${advance.obligation_id}`,
    },
  ];
}

function describeExpiringConnection(
  { dashboard, consentEndsAt, now }: CompanyFacts,
  company: NonNullable<PendingTask['company']>,
): PendingTask[] {
  if (dashboard.hmrc.status !== 'connected' || consentEndsAt === null) return [];
  if (!endsSoon(consentEndsAt, now)) return [];
  return [
    {
      task_id: `renew_hmrc:${company.company_id}`,
      subject: 'connection',
      company,
      title: 'Renew HMRC’s permission',
      why: 'It lasts 18 months and can’t be extended. Give permission again before it ends to avoid any interruption.',
      ...toDueDate(londonDate(consentEndsAt), dashboard.today),
      overdue: false,
      ends_at: consentEndsAt,
      action: 'Renew permission',
      path: `/v2/instant-vat/dashboard/link-hmrc-account?company_id=${company.company_id}`,
    },
  ];
}
