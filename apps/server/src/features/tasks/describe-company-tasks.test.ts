/** Every task of a dashboard has its own texts. */
import { toInstant } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { describe, expect, it } from 'vitest';
import { listTasks } from '../dashboard/dashboard-tasks.ts';
import { describeCompanyTasks } from './describe-company-tasks.ts';

const COMPANY = '0199c0de-0000-7000-8000-000000000001';
const NOW = toInstant(Date.parse('2026-11-10T09:00:00Z'));
const STATES = ['no_books', 'ready', 'outcome_unknown', 'refused', 'filed'] as const;

const obligations = STATES.map((state, index) => ({
  obligation_id: `0199c0de-0000-7000-8000-00000000010${index}`,
  period_start: plainDate('2026-07-01'),
  period_end: plainDate('2026-09-30'),
  due_on: plainDate('2026-11-13'),
  status: 'open',
  received_on: null,
  state,
  overdue: false,
})) as unknown as DashboardOutput['obligations'];

function dashboardWith(advance: { state: string; eligible: boolean }): DashboardOutput {
  const newest = {
    advance_id: '0199c0de-0000-7000-8000-000000000201',
    obligation_id: obligations[0]?.obligation_id,
    refund_pence: pence(4_000_00),
    fee_pence: pence(40_00),
    net_pence: pence(3_960_00),
    timeline: [],
    needsConfirmation: true,
    ...advance,
  } as unknown as NonNullable<Parameters<typeof listTasks>[0]['advance']>;
  const tasks = listTasks({
    companyId: COMPANY,
    hmrcStatus: 'lapsed',
    hasBooks: false,
    filingSoftware: undefined,
    hasBankAccount: false,
    returns: obligations.map((obligation) => ({ obligation, row: {} })) as unknown as Parameters<typeof listTasks>[0]['returns'],
    advance: newest,
  });
  return {
    company: { company_id: COMPANY, name: 'Brightwell Exports Ltd', vrn: '123456782' },
    today: plainDate('2026-11-10'),
    hmrc: { status: 'lapsed', as_of: null },
    obligations,
    open_period: null,
    next_deadline: null,
    advance: newest,
    chart: [],
    tasks,
  };
}

const describeTasks = (advance: { state: string; eligible: boolean }) =>
  describeCompanyTasks({ dashboard: dashboardWith(advance), consentEndsAt: null, validUntil: NOW, now: NOW });

describe('tasks of a company', () => {
  it('have texts for everything that a dashboard can ask for', () => {
    const all = [...describeTasks({ state: 'quoted', eligible: true }), ...describeTasks({ state: 'accepted', eligible: true })];
    expect(new Set(all.map(({ task_id }) => task_id.split(':')[0]))).toEqual(
      new Set([
        'connect_hmrc',
        'add_books',
        'add_books_for_period',
        'file_return',
        'find_outcome',
        'fix_return',
        'accept_offer',
        'confirm_collection_account',
        'add_bank_account',
      ]),
    );
    for (const { why, action } of all) expect(why.length * action.length).toBeGreaterThan(0);
  });

  it('count the working days until a return is due: three from Tuesday 10 to Friday 13 November', () => {
    expect(describeTasks({ state: 'settled', eligible: true }).find(({ task_id }) => task_id.startsWith('file_return'))).toMatchObject({
      due_on: '2026-11-13',
      working_days_left: 3,
    });
  });

  it.each([
    ['quoted', false, 'Fix what’s holding up your offer'],
    ['payout_failed', true, 'Check your bank account'],
    ['shortfall', true, 'HMRC repaid less than you claimed'],
    ['collecting', true, 'HMRC repaid less than you claimed'],
  ])('include an advance that is %s', (state, eligible, title) => {
    expect(describeTasks({ state, eligible }).map((task) => task.title)).toContain(title);
  });

  it.each(['paid', 'awaiting_hmrc', 'settled', 'withdrawn', 'declined'])('include no advance that is %s', (state) => {
    expect(describeTasks({ state, eligible: true }).filter(({ subject }) => subject === 'advance')).toEqual([]);
  });
});
