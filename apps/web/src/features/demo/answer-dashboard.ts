/** The demo's dashboard, built from the same facts as its other responses. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import type { AdvanceOutput } from '@portal/contract/advances.ts';
import type { PendingTask } from '@portal/contract/tasks.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { priceRefund } from '@portal/domain/advances/price-refund.ts';
import { addMilliseconds, toLondonDate } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { ORGANIC_PARTNER } from '@portal/domain/partners/partner-name.ts';
import { getPartner } from '@portal/domain/partners/partners.ts';
import { listCompanyTasks } from '@portal/domain/tasks/list-company-tasks.ts';
import { countWorkingDaysBetween } from '@portal/domain/uk-tax/calendar/working-days.ts';
import { getValueOrForecast } from '@portal/domain/uk-tax/known.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { describeAdvance } from './answer-advance.ts';
import { describeBoxes, describeObligation } from './answer-returns.ts';
import type { Story } from './stories/story.ts';
import type { ReturnFacts, StoryFacts } from './story-facts.ts';

/** How old the demo's HMRC figures appear to be. */
const HMRC_FIGURES_AGE_MS = 4 * 60 * 1000;

export function describeDashboard(story: Story, facts: StoryFacts): DashboardOutput {
  const { company_id, name, vrn } = story.company;
  const openReturn = facts.returns.find(({ filedAt }) => filedAt === undefined);
  const advance = describeAdvance(story, facts);
  return {
    company: { company_id, name, vrn },
    today: facts.today,
    hmrc: { status: 'connected', as_of: addMilliseconds(facts.now, -HMRC_FIGURES_AGE_MS) },
    obligations: facts.returns.map((returnFacts) => ({
      ...describeObligation(returnFacts, facts),
      ...describeAmount(story, facts, returnFacts),
    })),
    open_period: openReturn ? describeOpenPeriod(story, facts, openReturn) : null,
    next_deadline: openReturn
      ? {
          what: 'VAT return',
          due_on: openReturn.dueOn,
          working_days_left: getValueOrForecast(countWorkingDaysBetween(facts.today, openReturn.dueOn)) ?? 0,
          overdue: openReturn.dueOn < facts.today,
        }
      : null,
    advance: advance
      ? {
          advance_id: advance.advance_id,
          obligation_id: advance.obligation_id,
          state: advance.state,
          refund_pence: advance.refund_pence,
          fee_pence: advance.fee_pence,
          net_pence: advance.net_pence,
          eligible: advance.eligible,
          timeline: advance.timeline,
        }
      : null,
    chart: facts.returns.map(({ period, filedAt, totals }) => ({
      period_end: period.end,
      vat_in_pence: totals.boxes.box4,
      vat_out_pence: totals.boxes.box3,
      net_pence: pence(totals.boxes.box3 - totals.boxes.box4),
      source: filedAt ? 'hmrc' : 'books',
    })),
    tasks: listTasks(story, facts, advance),
  };
}

function describeAmount(
  story: Story,
  facts: StoryFacts,
  { filedAt, period, totals }: ReturnFacts,
): Pick<DashboardOutput['obligations'][number], 'amount' | 'paid_on' | 'settled'> {
  const isMainReturn = period.obligation_id === story.mainObligationId;
  const paidAt = isMainReturn ? facts.findMomentTime('paid') : undefined;
  const source = filedAt ? ('hmrc' as const) : ('books' as const);
  return {
    amount: totals.rows > 0 ? { box5_pence: totals.boxes.box5, direction: totals.direction, source } : null,
    paid_on: paidAt ? toLondonDate(paidAt) : null,
    settled: isMainReturn ? facts.findMomentTime('repaid') !== undefined : filedAt !== undefined,
  };
}

/** Lists the tasks by the same rules as for a real company. */
function listTasks(story: Story, facts: StoryFacts, advance: AdvanceOutput | null): PendingTask[] {
  const { company_id, name } = story.company;
  const { feeRateBps } = getPartner(ORGANIC_PARTNER);
  const { minimumFeePence } = getAdvanceTerms(facts.today);
  const tasks = listCompanyTasks({
    today: facts.today,
    hmrc: 'connected',
    permissionEndsAt: null,
    hasBooks: true,
    filingSoftware: undefined,
    hasBankAccount: true,
    returns: facts.returns.map((returnFacts) => {
      const { direction, rows, boxes } = returnFacts.totals;
      return {
        ...describeObligation(returnFacts, facts),
        estimate: rows > 0 ? { direction, box5: boxes.box5 } : null,
        price: direction === 'repayment' ? (priceRefund(boxes.box5, feeRateBps, minimumFeePence) ?? null) : null,
      };
    }),
    advance: advance
      ? {
          obligation_id: advance.obligation_id,
          state: advance.state,
          eligible: advance.eligible,
          price: { refund: advance.refund_pence, fee: advance.fee_pence, net: advance.net_pence },
          validUntil: advance.valid_until,
          needsFacts: false,
          warning: facts.isQuestionOpen ? 'question' : null,
          needsConfirmation: advance.collection_account !== null && advance.collection_account.confirmed_at === null,
        }
      : undefined,
    differences: [],
  });
  return tasks.map(({ page, refund, ...task }) => ({
    ...task,
    task_id: [task.kind, company_id, task.obligation_id].filter((part) => part !== null).join(':'),
    company: { company_id, name },
    refund: refund && { refund_pence: refund.refund, fee_pence: refund.fee, net_pence: refund.net },
    path: getPageLink(page, { company_id, ...(task.obligation_id === null ? {} : { obligation_id: task.obligation_id }) }),
  }));
}

function describeOpenPeriod(story: Story, facts: StoryFacts, { period, dueOn, totals }: ReturnFacts): DashboardOutput['open_period'] {
  return {
    obligation_id: period.obligation_id,
    period_start: period.start,
    period_end: period.end,
    due_on: dueOn,
    ended: period.end < facts.today,
    estimate: totals.rows > 0 ? describeBoxes(totals) : null,
    rows: totals.rows,
    source: story.books.file_name,
    as_of: story.books.applied_at,
  };
}
