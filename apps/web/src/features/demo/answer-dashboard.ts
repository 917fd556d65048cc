/** The demo's dashboard, built from the same facts as its other responses. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { workingDaysBetween } from '@portal/domain/uk-tax/calendar/working-days.ts';
import { valueOrForecast } from '@portal/domain/uk-tax/known.ts';
import { pageLink } from '../../lib/page-link.ts';
import { describeAdvance } from './answer-advance.ts';
import { describeBoxes, describeObligation } from './answer-returns.ts';
import type { Story } from './stories/story.ts';
import type { ReturnFacts, StoryFacts } from './story-facts.ts';

/** The demo's HMRC figures appear to have been read this long ago. */
const HMRC_FIGURES_AGE_MS = 4 * 60 * 1000;

export function describeDashboard(story: Story, facts: StoryFacts): DashboardOutput {
  const { company_id, name, vrn } = story.company;
  const open = facts.returns.find(({ filedAt }) => filedAt === undefined);
  const advance = describeAdvance(story, facts);
  return {
    company: { company_id, name, vrn },
    today: facts.today,
    hmrc: { status: 'connected', as_of: addMilliseconds(facts.now, -HMRC_FIGURES_AGE_MS) },
    obligations: facts.returns.map((found) => describeObligation(found, facts)),
    open_period: open ? describeOpenPeriod(story, facts, open) : null,
    next_deadline: open
      ? {
          what: 'VAT return',
          due_on: open.dueOn,
          working_days_left: valueOrForecast(workingDaysBetween(facts.today, open.dueOn)) ?? 0,
          overdue: open.dueOn < facts.today,
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
    tasks:
      advance?.collection_account && advance.collection_account.confirmed_at === null
        ? [
            {
              task: 'confirm_collection_account',
              title: 'Tell HMRC to repay into the collection account',
              path: pageLink('advance', { company_id, obligation_id: story.mainObligationId }),
            },
          ]
        : [],
  };
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
