/**
 * The desk's rules as SQL, so that PostgreSQL filters, sorts and counts thousands of advances without loading them. The thresholds and the
 * number of releases come from the domain's own functions.
 */
import { advances, collectionAccounts, companies } from '@portal/db/schema/schema.ts';
import { getAdvanceTerms, listAdvanceTerms, type AdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { countRequiredReleases } from '@portal/domain/advances/payout-gate.ts';
import { toLondonDate, type Instant } from '@portal/domain/clock.ts';
import { pence, type Pence } from '@portal/domain/money.ts';
import { isSubmittedMandate, MANDATE_STATUSES } from '@portal/domain/shortfalls/direct-debit.ts';
import type { DeskStep } from '@portal/domain/operators/desk-steps.ts';
import { UNPAID_STATES } from '@portal/domain/advances/advance-states.ts';
import { sql, type SQL } from '@portal/db/sql.ts';
import { selectReceivedPence } from '../advances/receipts-sql.ts';

/** Table aliases used in every statement of the desk. PostgreSQL drops the joins that a statement does not use. */
export const FROM_ADVANCES = sql`${advances} a
  left join ${companies} c on c.id = a.company_id
  left join ${collectionAccounts} ca on ca.company_id = a.company_id
  left join advance_assignments asg on asg.company_id = a.company_id and asg.advance_id = a.id`;

const LONDON = sql.raw(`'Europe/London'`);

/** Returns a figure from the terms under which the advance was quoted. */
function buildCaseByTerms(toSql: (terms: AdvanceTerms) => SQL): SQL {
  const [first, ...laterTerms] = listAdvanceTerms();
  if (!first) throw new RangeError('no advance terms');
  if (laterTerms.length === 0) return toSql(first);
  const cases = laterTerms
    .toReversed()
    .map((terms) => sql`when (a.quoted_at at time zone ${LONDON})::date >= ${terms.from}::date then ${toSql(terms)}`);
  return sql`case ${sql.join(cases, sql` `)} else ${toSql(first)} end`;
}

const toRawSql = (value: number): SQL => sql.raw(String(value));

/** The time by which we promised to pay. */
export const PAY_BY = sql`(a.accepted_at + ${buildCaseByTerms(({ payWithinHours }) => sql.raw(`interval '${payWithinHours} hours'`))})`;

/** The states between acceptance and payout, while the promise runs. */
const UNPAID = sql.raw(`a.state in (${UNPAID_STATES.map((state) => `'${state}'`).join(', ')})`);
export const DUE_AT = sql`case when ${UNPAID} then ${PAY_BY} end`;

/** The day by which HMRC was expected to repay. */
export const EXPECTED_ON = sql`(coalesce(a.filed_on, (a.quoted_at at time zone ${LONDON})::date) + a.repayment_days)`;

export const RECEIVED = selectReceivedPence(sql.raw('a.company_id'), sql.raw('a.id'));

/** True if we have never paid the company for another refund. */
export const IS_NEW_TRADER = sql`not exists (select 1 from advances earlier where earlier.company_id = a.company_id and earlier.id <> a.id and earlier.paid_at is not null)`;

const selectNewestApproval = (column: SQL, condition: SQL): SQL =>
  sql`(select ${column} from advance_transitions t where t.company_id = a.company_id and t.advance_id = a.id and t.to_state = 'approved' and ${condition} order by t.sequence desc limit 1)`;
const IS_REVIEW = sql.raw(`t.from_state = 'in_review'`);
const APPROVER = selectNewestApproval(sql.raw('t.actor'), IS_REVIEW);
/** The operator who sent a failed payout again; null if the newest approval isn't a retry. */
const RETRIER = selectNewestApproval(sql.raw(`case when t.from_state = 'payout_failed' then t.actor end`), sql.raw('true'));

/** The SQL version of the domain's `needsManualRelease`. */
const NEEDS_MANUAL_RELEASE = sql`(a.needs_review or coalesce(${APPROVER}, 'rules') <> 'rules'
  or (${RETRIER} is not null and (select max(b.created_at) from bank_accounts b where b.company_id = a.company_id) > ${selectNewestApproval(sql.raw('t.at'), IS_REVIEW)}))`;

/** The SQL version of the domain's number of releases. It is constant between the terms' thresholds, so one value per band is enough. */
export const RELEASES_NEEDED = buildCaseByTerms((terms) => {
  const thresholds = Object.entries(terms)
    .flatMap(([name, value]) => (name.endsWith('AbovePence') && typeof value === 'number' ? [value] : []))
    .toSorted((a, b) => a - b);
  const count = (net: Pence, isReviewed: boolean): SQL => toRawSql(countRequiredReleases(net, isReviewed, terms));
  const countForBoth = (net: Pence): SQL => sql`case when ${NEEDS_MANUAL_RELEASE} then ${count(net, true)} else ${count(net, false)} end`;
  const bands = thresholds.map((threshold) => sql`when a.net_pence <= ${toRawSql(threshold)} then ${countForBoth(pence(threshold))}`);
  const largestThreshold = thresholds.at(-1);
  if (largestThreshold === undefined) return countForBoth(pence(0));
  return sql`case ${sql.join(bands, sql` `)} else ${countForBoth(pence(largestThreshold + 1))} end`;
});

/**
 * Counts the releases of the current round and approval, for the current amount, quote and bank account, by operators who may release it
 * (advance-status.ts).
 */
export const RELEASES = sql`(select count(*) from payout_releases r where r.company_id = a.company_id and r.advance_id = a.id
  and r.round = 1 + (select count(*) from payouts p where p.company_id = a.company_id and p.advance_id = a.id and p.status in ('failed', 'returned'))
  and r.amount_pence = a.net_pence and r.quote_version = a.version
  and r.bank_account_id = (select b.id from bank_accounts b where b.company_id = a.company_id order by b.created_at desc limit 1)
  and r.operator_id::text is distinct from ${APPROVER}
  and (${RELEASES_NEEDED} > 1 or r.operator_id::text is distinct from ${RETRIER})
  and r.released_at >= coalesce(${selectNewestApproval(sql.raw('t.at'), sql.raw('true'))}, r.released_at))`;

const isHmrcLate = (now: Instant): SQL => sql`${EXPECTED_ON} < ${toLondonDate(now)}::date`;
/** Returns a condition that is true if HMRC's figures are too old to base a payout on (payout-gate.ts). */
const areFactsStale = (now: Instant): SQL =>
  sql`(a.facts_read_at is null or a.facts_read_at + ${buildCaseByTerms(({ factsValidHours }) => sql.raw(`interval '${factsValidHours} hours'`))} <= ${now}::timestamptz)`;
const AWAITS_MANDATE = sql`(a.mandate_required and not exists (select from mandates m where m.company_id = a.company_id
  and m.status in (${sql.join(
    MANDATE_STATUSES.filter(isSubmittedMandate).map((status) => sql`${status}`),
    sql`, `,
  )})))`;
const IS_IDENTITY_VERIFIED = sql.raw(`jsonb_path_exists(a.rules, '$[*] ? (@.rule == "identity_verified" && @.outcome == "pass")')`);
const LACKS_RELEASES = sql`${RELEASES} < ${RELEASES_NEEDED}`;

/** Returns a condition that is true if the step is one of OPERATOR_STEPS, without computing the others. */
export const needsOperator = (now: Instant): SQL => sql`(a.state in ('in_review', 'payout_failed', 'shortfall', 'collecting')
  or (a.state = 'paying' and a.payout_hold is not null)
  or (a.state = 'approved' and (a.payout_hold is not null or (not ${areFactsStale(now)} and ${LACKS_RELEASES})))
  or (a.state = 'awaiting_hmrc' and ${isHmrcLate(now)}))`;

/**
 * Returns a condition that is true for an exception: the payout is held, failed or differs from our order, or HMRC pays late or less
 * (steps `held`, `refused`, `retry`, `hmrc_late` and `collect`).
 */
export const isException = (now: Instant): SQL => sql`(a.state in ('payout_failed', 'shortfall', 'collecting')
  or (a.state in ('approved', 'paying') and a.payout_hold is not null)
  or (a.state = 'awaiting_hmrc' and ${isHmrcLate(now)}))`;

/** Returns a condition that is true if the advance is approved and more operators must release it. */
export const needsRelease = (now: Instant): SQL =>
  sql`(a.state = 'approved' and a.payout_hold is null and not ${areFactsStale(now)} and ${LACKS_RELEASES})`;

/** Returns the step that the advance is waiting for. */
export function getStepSql(now: Instant, lacksReleases: SQL = LACKS_RELEASES): SQL<DeskStep> {
  const { bankChangeHoldHours } = getAdvanceTerms(toLondonDate(now));
  const isOnHold = sql`(select count(*) > 1 and max(b.created_at) + ${sql.raw(`interval '${bankChangeHoldHours} hours'`)} > ${now}::timestamptz from bank_accounts b where b.company_id = a.company_id)`;
  return sql<DeskStep>`case a.state
    when 'quoted' then case when a.eligible then 'trader_accepts' else 'not_eligible' end
    when 'accepted' then 'opening_account'
    when 'in_review' then 'review'
    when 'approved' then case
      when a.payout_hold is not null then 'held'
      when ${areFactsStale(now)} then 'trader_refreshes'
      when ${lacksReleases} then 'release'
      when ca.company_id is null then 'opening_account'
      when a.collection_confirmed_at is null then 'trader_confirms'
      when not ${IS_IDENTITY_VERIFIED} then 'trader_identity'
      when ${AWAITS_MANDATE} then 'trader_mandate'
      when ${isOnHold} then 'bank_hold'
      else 'paying' end
    when 'paying' then case when a.payout_hold is not null then 'refused' else 'bank_pays' end
    when 'paid' then 'bank_pays'
    when 'awaiting_hmrc' then case when ${isHmrcLate(now)} then 'hmrc_late' else 'hmrc_repays' end
    when 'repaid' then 'settling'
    when 'payout_failed' then 'retry'
    when 'shortfall' then 'collect'
    when 'collecting' then 'collect'
    else 'none' end`;
}
