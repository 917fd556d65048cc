/** The rows of one generated advance: its return, its states and its payments. */
import { createHash } from 'node:crypto';
import type { AdvanceState } from '@portal/domain/advances/advance-states.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { evaluateEligibility, type EvaluatedRule } from '@portal/domain/advances/evaluate-eligibility.ts';
import { addMilliseconds, toLondonDate, type Instant } from '@portal/domain/clock.ts';
import { postCredit, postMatchedCredit, postPayout, postShortfall, type LedgerLine } from '@portal/domain/ledger/ledger.ts';
import { pence, type Pence } from '@portal/domain/money.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export const PATHS: Readonly<Partial<Record<AdvanceState, readonly AdvanceState[]>>> = {
  quoted: [],
  expired: ['expired'],
  withdrawn: ['withdrawn'],
  in_review: ['accepted', 'in_review'],
  declined: ['accepted', 'in_review', 'declined'],
  approved: ['accepted', 'in_review', 'approved'],
  paying: ['accepted', 'in_review', 'approved', 'paying'],
  payout_failed: ['accepted', 'in_review', 'approved', 'paying', 'payout_failed'],
  awaiting_hmrc: ['accepted', 'in_review', 'approved', 'paying', 'paid', 'awaiting_hmrc'],
  settled: ['accepted', 'in_review', 'approved', 'paying', 'paid', 'awaiting_hmrc', 'repaid', 'settled'],
  shortfall: ['accepted', 'in_review', 'approved', 'paying', 'paid', 'awaiting_hmrc', 'shortfall'],
  collecting: ['accepted', 'in_review', 'approved', 'paying', 'paid', 'awaiting_hmrc', 'shortfall', 'collecting'],
  written_off: ['accepted', 'in_review', 'approved', 'paying', 'paid', 'awaiting_hmrc', 'shortfall', 'collecting', 'written_off'],
};

export type TableRow = Record<string, unknown>;
export type Tables = Record<string, TableRow[]>;
export type AdvanceRowOptions = {
  readonly count: number;
  readonly seed: number;
  readonly now: Instant;
  readonly operatorIds: readonly string[];
};

export function toUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export const push = (tables: Tables, table: string, row: TableRow): void => void (tables[table] ??= []).push(row);

export type Company = {
  readonly id: string;
  readonly name: string;
  readonly ownerId: string;
  readonly bankAccountId: string;
  advances: number;
};

export type Story = {
  readonly id: string;
  readonly company: Company;
  readonly state: AdvanceState;
  readonly refund: Pence;
  readonly fee: Pence;
  readonly net: Pence;
  readonly quotedAt: Instant;
  /** When the advance entered each state on its path. */
  readonly entered: Readonly<Partial<Record<AdvanceState, Instant>>>;
};

export function addReturn(tables: Tables, { id, company, refund, quotedAt }: Story, periodEnd: PlainDate, place: number): void {
  const obligation = toUuid(`obligation ${id}`);
  push(tables, 'obligations', {
    company_id: company.id,
    id: obligation,
    period_key: `G${place}`,
    period_start: addDays(periodEnd, -91),
    period_end: periodEnd,
    due_on: addDays(periodEnd, 37),
    status: 'fulfilled',
    received_on: toLondonDate(quotedAt),
  });
  const boxes = {
    box1_pence: 0,
    box2_pence: 0,
    box3_pence: 0,
    box4_pence: refund,
    box5_pence: refund,
    box6_pounds: 0,
    box7_pounds: Math.round(refund / 20),
    box8_pounds: 0,
    box9_pounds: 0,
    direction: 'repayment',
  };
  push(tables, 'filings', {
    company_id: company.id,
    id: toUuid(`filing ${id}`),
    obligation_id: obligation,
    state: 'accepted',
    boxes,
    figures_version: 'generated',
    file_id: toUuid(`file ${id}`),
    declaration: 'Generated',
    filed_by: company.ownerId,
    fraud_headers: {},
    receipt_source: 'answer',
    instance_id: 'generated',
    call_deadline_at: quotedAt,
    sent_at: quotedAt,
    settled_at: quotedAt,
  });
}

/** Returns the rules of an advance that meets all of them; one that needed a review is the company's first. */
function evaluateRules({ company, refund, quotedAt }: Story, wasReviewed: boolean): EvaluatedRule[] {
  const today = toLondonDate(quotedAt);
  return evaluateEligibility(
    {
      refund,
      filing: { accepted: true, isReadBack: false },
      atHmrc: { receivedOn: today },
      isHmrcConnected: true,
      overdueReturns: [],
      earlierReturns: [],
      vatDebt: pence(0),
      comingVat: pence(0),
      pastRefunds: wasReviewed ? [] : [refund],
      registeredOn: addDays(today, -2_000),
      insolvent: false,
      isBankAccountKnown: true,
      companyExposure: pence(0),
      exposureOfOwners: pence(0),
      totalExposure: pence(0),
      figuresAsOf: quotedAt,
      differences: { own: [], ofOwners: 0, lateOfOwners: 0 },
      declined: { own: 0, ofOwners: 0, hasUnfinishedReview: false },
      register: { status: 'active', type: 'ltd', isInsolvent: false },
      payee: {
        hmrcName: company.name,
        registerName: company.name,
        formerNames: [],
        accountHolder: company.name,
        accountCheck: { result: 'match' },
        identity: 'passed',
        verifiedPeople: [{ name: 'Ada Quince', bornIn: '1984-05' }],
        isVerifiedManually: false,
        companyPeople: [{ name: 'QUINCE, Ada', bornIn: '1984-05' }],
      },
    },
    getAdvanceTerms(today),
    today,
  );
}

export function addAdvanceRow(tables: Tables, story: Story, periodEnd: PlainDate, random: () => number): void {
  const { id, company, state, refund, fee, net, quotedAt, entered } = story;
  const wasReviewed = state === 'in_review' || state === 'declined' || random() < 0.25;
  const rules = evaluateRules(story, wasReviewed);
  const acceptedAt = entered.accepted ?? null;
  const updatedAt = Object.values(entered).at(-1) ?? quotedAt;
  const isConfirmed = state !== 'in_review' && (state !== 'approved' || random() < 0.6);
  push(tables, 'advances', {
    company_id: company.id,
    id,
    obligation_id: toUuid(`obligation ${id}`),
    period_start: addDays(periodEnd, -91),
    period_end: periodEnd,
    filing_id: toUuid(`filing ${id}`),
    filed_on: toLondonDate(quotedAt),
    state,
    version: 1,
    refund_pence: refund,
    fee_pence: fee,
    fee_rate_bps: 100,
    net_pence: net,
    eligible: true,
    rules,
    agreement_text: 'Generated agreement',
    agreement_hash: 'generated',
    quoted_at: quotedAt,
    valid_until: addMilliseconds(quotedAt, 7 * DAY_MS),
    accepted_at: acceptedAt,
    accepted_by: acceptedAt && company.ownerId,
    bank_account_id: entered.paying ? company.bankAccountId : null,
    collection_confirmed_at: acceptedAt && isConfirmed ? acceptedAt : null,
    facts_read_at: acceptedAt && (random() < 0.2 ? addMilliseconds(acceptedAt, -DAY_MS) : updatedAt),
    mandate_required: state === 'approved' && random() < 0.2,
    payout_hold: state === 'approved' && random() < 0.05 ? 'HMRC’s figures no longer show this refund.' : null,
    paid_at: entered.paid ?? null,
    repaid_at: entered.repaid ?? entered.shortfall ?? null,
    updated_at: updatedAt,
  });
}

export function addTransitions(
  tables: Tables,
  { operatorIds, now }: AdvanceRowOptions,
  { id, company, state, entered, quotedAt }: Story,
  random: () => number,
): void {
  let from: AdvanceState = 'quoted';
  const base = { company_id: company.id, advance_id: id };
  push(tables, 'advance_transitions', {
    ...base,
    sequence: 1,
    from_state: null,
    to_state: 'quoted',
    at: quotedAt,
    actor: 'rules',
    reason: 'Quoted.',
  });
  for (const [index, to] of (PATHS[state] ?? []).entries()) {
    const actor = to === 'accepted' || to === 'withdrawn' ? company.ownerId : 'rules';
    push(tables, 'advance_transitions', {
      ...base,
      sequence: index + 2,
      from_state: from,
      to_state: to,
      at: entered[to] ?? quotedAt,
      actor,
      reason: 'Generated.',
    });
    from = to;
  }
  const operatorId = operatorIds[Math.floor(random() * operatorIds.length)];
  if (operatorId === undefined || !['in_review', 'approved', 'payout_failed', 'shortfall', 'collecting'].includes(state)) return;
  if (random() < 0.5) push(tables, 'advance_assignments', { ...base, operator_id: operatorId, assigned_by: operatorId, assigned_at: now });
}

export function addMoney(tables: Tables, { now }: AdvanceRowOptions, story: Story, random: () => number): void {
  const { id, company, state, refund, fee, net, entered } = story;
  const payoutId = toUuid(`payout ${id}`);
  const { paying, paid } = entered;
  if (!paying) return;
  const status = state === 'payout_failed' ? 'failed' : paid ? 'executed' : 'submitted';
  push(tables, 'payouts', {
    company_id: company.id,
    id: payoutId,
    advance_id: id,
    round: 1,
    status,
    amount_pence: net,
    account_holder: company.name,
    sort_code: '040004',
    account_number: '30000000',
    reference: 'VAT REFUND',
    provider_payout_id: payoutId,
    failure: status === 'failed' ? 'beneficiary_account_closed' : null,
    created_at: paying,
    unknown_attempts: 0,
    submitted_at: paying,
    settled_at: paid ?? null,
  });
  if (!paid) return;
  addPosting(tables, story, `payout:${payoutId}`, 'Payout', paid, postPayout({ refund, fee, net }));
  const returnedAt = entered.repaid ?? entered.shortfall;
  // In some cases, HMRC has repaid a part and the rest is still outstanding.
  if (!returnedAt) return;
  const receivedAmount = entered.repaid ? refund : pence(Math.round(refund * (0.3 + random() * 0.5)));
  push(tables, 'bank_credits', {
    company_id: company.id,
    id: toUuid(`credit ${id}`),
    provider_transaction_id: `generated-${id}`,
    amount_pence: receivedAmount,
    remitter: 'HMRC VAT',
    reference: 'VAT REPAYMENT',
    received_at: returnedAt < now ? returnedAt : now,
    currency: 'GBP',
  });
  push(tables, 'credit_allocations', {
    company_id: company.id,
    id: toUuid(`allocation ${id}`),
    credit_id: toUuid(`credit ${id}`),
    advance_id: id,
    amount_pence: receivedAmount,
    at: returnedAt,
    by: 'bank',
  });
  const allocationId = toUuid(`allocation ${id}`);
  addPosting(tables, story, `credit:generated-${id}`, 'Payment from HMRC', returnedAt, postCredit(receivedAmount));
  addPosting(
    tables,
    story,
    `allocation:${allocationId}`,
    'HMRC repayment',
    returnedAt,
    postMatchedCredit(receivedAmount, 'refunds_receivable'),
  );
  if (receivedAmount < refund)
    addPosting(tables, story, `shortfall:${allocationId}`, 'Shortfall', returnedAt, postShortfall(pence(refund - receivedAmount)));
}

function addPosting(tables: Tables, { company }: Story, key: string, description: string, at: Instant, lines: readonly LedgerLine[]): void {
  const id = toUuid(`posting ${key}`);
  push(tables, 'ledger_postings', {
    company_id: company.id,
    id,
    idempotency_key: key,
    description,
    on_date: toLondonDate(at),
    posted_at: at,
  });
  for (const { account, amount } of lines)
    push(tables, 'ledger_lines', { company_id: company.id, posting_id: id, account, amount_pence: amount });
}
