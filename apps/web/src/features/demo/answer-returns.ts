/** The demo's responses about returns: obligations, one return, and the transactions behind a box. */
import type { CorrectionsOutput, vatReturnsApi, NineBoxesOutput, VatReturnOutput } from '@portal/contract/vat-returns.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { pence, sumPence } from '@portal/domain/money.ts';
import { DECLARATIONS } from '@portal/domain/vat-returns/declarations.ts';
import type { PeriodTotals } from '@portal/domain/vat-returns/accumulate-boxes.ts';
import { listBoxContributions } from '@portal/domain/vat-returns/box-contributions.ts';
import { reviewReturn } from '@portal/domain/vat-returns/review-return.ts';
import { getBrandName } from '../../lib/settings.ts';
import type { Story } from './stories/story.ts';
import type { ReturnFacts, StoryFacts } from './story-facts.ts';

const PAGE_ROWS = 100;

/** The demo's books never change after filing. */
export const NO_CORRECTIONS: CorrectionsOutput = {
  periods: [],
  owed_to_hmrc_pence: pence(0),
  owed_to_trader_pence: pence(0),
  net_error_pence: pence(0),
  limit: null,
  can_change: false,
};

export function describeBoxes({ boxes, direction }: PeriodTotals): NineBoxesOutput {
  const { box1, box2, box3, box4, box5, box6, box7, box8, box9 } = boxes;
  return {
    box1_pence: box1,
    box2_pence: box2,
    box3_pence: box3,
    box4_pence: box4,
    box5_pence: box5,
    box6_pounds: box6,
    box7_pounds: box7,
    box8_pounds: box8,
    box9_pounds: box9,
    direction,
  };
}

export function describeObligation(
  { period, state, dueOn, receivedOn }: ReturnFacts,
  { today }: StoryFacts,
): VatReturnOutput['obligation'] {
  return {
    obligation_id: period.obligation_id,
    period_start: period.start,
    period_end: period.end,
    due_on: dueOn,
    status: receivedOn ? 'fulfilled' : 'open',
    received_on: receivedOn ?? null,
    state,
    overdue: dueOn < today && (state === 'ready' || state === 'no_books'),
  };
}

export function describeReturn(story: Story, facts: StoryFacts, returnFacts: ReturnFacts): VatReturnOutput {
  const earlierReturns = facts.returns.filter(({ period }) => period.end < returnFacts.period.start).toReversed();
  const isFiled = returnFacts.filedAt !== undefined;
  return {
    obligation: describeObligation(returnFacts, facts),
    boxes: describeBoxes(returnFacts.totals),
    figures_version: `demo-${returnFacts.totals.rows}`,
    adjustments: [],
    late_rows: 0,
    books_difference: null,
    rows: returnFacts.totals.rows,
    flagged: returnFacts.totals.flagged,
    changes: null,
    source: { file_name: story.books.file_name, applied_at: story.books.applied_at, program: story.books.program ?? null },
    checks: isFiled
      ? []
      : reviewReturn({
          boxes: returnFacts.totals.boxes,
          history: earlierReturns.map(({ totals }) => totals.boxes),
          flaggedRows: returnFacts.totals.flagged,
          lateRows: 0,
        }),
    declaration: DECLARATIONS.trader,
    receipt: returnFacts.filedAt
      ? {
          form_bundle_number: story.receipt.form_bundle_number,
          processing_date: returnFacts.filedAt,
          payment_indicator: 'BANK',
          charge_ref_number: null,
          receipt_id: story.receipt.receipt_id,
          received_at: returnFacts.filedAt,
          source: 'answer',
          filed_by: story.trader,
          declaration: DECLARATIONS.trader,
        }
      : null,
    refusal: null,
    found: null,
    settled: isFiled && (returnFacts.period.obligation_id !== story.mainObligationId || facts.findMomentTime('repaid') !== undefined),
    earlier: [
      { which: 'previous' as const, period: earlierReturns[0] },
      { which: 'year_ago' as const, period: earlierReturns[3] },
    ].flatMap(({ which, period }) => (period ? [{ which, period_end: period.period.end, boxes: describeBoxes(period.totals) }] : [])),
    brand: getBrandName(),
  };
}

export function listTransactions(
  returnFacts: ReturnFacts,
  box: string,
  afterLine: number,
  search: string,
): EndpointOutput<typeof vatReturnsApi.transactions> {
  const searchText = search.trim().toLowerCase();
  const allRows = returnFacts.rows.flatMap((row) => {
    if (![row.counterparty, row.description, row.reference].some((part) => part.toLowerCase().includes(searchText))) return [];
    const addedParts = listBoxContributions(row).filter((contribution) => String(contribution.box) === box);
    return addedParts.length === 0
      ? []
      : [
          {
            ...row,
            amount_pence: sumPence(addedParts.map(({ amount_pence }) => amount_pence)),
            flagged: false,
            link: null,
            document_flags: [],
            change: null,
            other_amount_pence: null,
            is_in_figures: true,
          },
        ];
  });
  const page = allRows.filter(({ line }) => line > afterLine).slice(0, PAGE_ROWS);
  const last = page.at(-1)?.line;
  return {
    transactions: page,
    total_pence: allRows.length === 0 ? pence(0) : sumPence(allRows.map(({ amount_pence }) => amount_pence)),
    rows: allRows.length,
    other_rows: 0,
    changes: null,
    next_after_line: last !== undefined && allRows.some(({ line }) => line > last) ? last : null,
  };
}
