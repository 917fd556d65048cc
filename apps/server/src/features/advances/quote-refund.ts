/**
 * Prices the refund of a return that HMRC holds and evaluates the rules. An open quote is replaced by a new version; an accepted one never
 * changes.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { advances, companies } from '@portal/db/schema/schema.ts';
import { getAdvanceTerms, type AdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { writeAgreement } from '@portal/domain/advances/agreement-text.ts';
import { isEligible, evaluateEligibility } from '@portal/domain/advances/evaluate-eligibility.ts';
import { priceRefund, type Price } from '@portal/domain/advances/price-refund.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { MAX_INSTALMENTS } from '@portal/domain/shortfalls/instalment-plan.ts';
import { getPartner } from '@portal/domain/partners/partners.ts';
import { and, eq, notInArray } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { getReturnSnapshot, type ObligationRow, type ReturnSnapshot } from '../vat-returns/get-return.ts';
import { enqueueOfferEmail } from './advance-emails.ts';
import { loadEligibilityFacts } from './eligibility-facts.ts';
import { findBasis, type AdvanceBasis } from './basis-queries.ts';
import { sealTerms } from './payout-facts.ts';
import { refreshPayeeFacts } from './refresh-payee-facts.ts';
import { withExposureLimits } from './exposure.ts';
import { loadRepaymentDays } from './repayment-days-queries.ts';
import { lockAdvance, transitionAdvance, recordTransition, type AdvanceRow } from './transition-advance.ts';

const DAY_MS = 86_400_000;
const UNUSED_QUOTE_STATES = ['expired', 'withdrawn', 'declined'];

export const EARLY_REFUNDS_PAUSED =
  'We’ve paused early refunds while we check something. Try again later. HMRC repays you as usual in any case.';

/** Explains in a sentence why the refund has no quote. Undefined if it has one. */
export type NoQuoteReason = string | undefined;

/** `actor` is a user's ID, or "rules" for automatic quotes. Automatic quotes leave an open quote on the same return unchanged. */
export async function quoteRefund(deps: AppDeps, companyId: string, obligationId: string, actor: string): Promise<NoQuoteReason> {
  await refreshPayeeFacts(deps, companyId);
  return deps.database.db.transaction(async (tx) => {
    // Price one refund at a time per company, because two concurrent requests would both find no active quote.
    const [company] = await tx.select().from(companies).where(eq(companies.id, companyId)).for('update');
    if (!company) throw createNotFoundError();
    const snapshot = await getReturnSnapshot(deps, tx, companyId, obligationId);
    const current = await lockActiveAdvance(tx, snapshot.obligation);
    // HMRC may list two returns for the same dates. A period can be advanced only once, whatever its basis.
    if (current && current.obligationId !== obligationId) return 'There’s already an offer for this period.';
    if (current && current.state !== 'quoted') return undefined;
    if (deps.paused.has('early_refunds')) return EARLY_REFUNDS_PAUSED;
    const now = deps.clock.now();
    const context = { actor, at: now };
    const terms = getAdvanceTerms(deps.clock.today());
    const feeRateBps = getPartner(company.partner).feeRateBps;
    const pricedReturn = await priceReturn(tx, company, snapshot, feeRateBps, terms);
    if (typeof pricedReturn === 'string') {
      // The return has changed since the quote, so the quoted refund no longer exists.
      if (current) await transitionAdvance(tx, current, 'expired', context, pricedReturn);
      return pricedReturn;
    }
    const { basis, price } = pricedReturn;
    const isOpen = current !== undefined && current.validUntil > now;
    // What made it ineligible may have been put right since.
    if (isOpen && actor === 'rules' && current.eligible && hasBasis(current, basis)) return undefined;
    const quote = await buildQuote(deps, tx, { company, obligation: snapshot.obligation, basis, price, feeRateBps, terms });
    if (isOpen) {
      await tx
        .update(advances)
        .set({
          ...quote,
          version: current.version + 1,
          termsSeal: sealTerms(deps.tokenCipher, { ...current, ...quote, version: current.version + 1 }),
        })
        .where(and(eq(advances.companyId, companyId), eq(advances.id, current.id)));
      return undefined;
    }
    if (current) await transitionAdvance(tx, current, 'expired', context, 'The quote wasn’t accepted in time.');
    const id = randomUUID();
    const offer = { companyId: company.id, id, obligationId, version: 1, ...quote };
    await tx.insert(advances).values({ ...offer, state: 'quoted', termsSeal: sealTerms(deps.tokenCipher, offer) });
    const reason =
      basis.columns.filingId === null ? 'Priced after the return was found at HMRC.' : 'Priced after HMRC accepted the return.';
    await recordTransition(tx, companyId, id, null, 'quoted', context, reason);
    // Send no email about a new version of an open offer, because the user is already looking at it.
    if (quote.eligible) await enqueueOfferEmail(deps, tx, { companyId, obligationId, ...quote });
    return undefined;
  });
}

/** Returns the basis and price of the refund, or a sentence that says why it can't be bought. */
async function priceReturn(
  tx: Tx,
  company: typeof companies.$inferSelect,
  snapshot: ReturnSnapshot,
  feeRateBps: number,
  terms: AdvanceTerms,
): Promise<{ basis: AdvanceBasis; price: Price } | string> {
  const basis = await findBasis(tx, company, snapshot);
  if (typeof basis === 'string') return basis;
  if (basis.boxes.direction !== 'repayment') return 'This return isn’t a repayment, so there’s no refund to advance.';
  const price = priceRefund(basis.boxes.box5_pence, feeRateBps, terms.minimumFeePence);
  return price ? { basis, price } : 'The refund is too small: our minimum fee would leave nothing for you. HMRC will repay you as usual.';
}

function hasBasis(advance: AdvanceRow, { columns }: AdvanceBasis): boolean {
  return advance.filingId === columns.filingId && advance.foundReturnId === columns.foundReturnId;
}

/** Locks and returns the period's advance that is not expired, withdrawn or declined. */
async function lockActiveAdvance(tx: Tx, { companyId, periodStart, periodEnd }: ObligationRow): Promise<AdvanceRow | undefined> {
  const [activeAdvance] = await tx
    .select({ id: advances.id })
    .from(advances)
    .where(
      and(
        eq(advances.companyId, companyId),
        eq(advances.periodStart, periodStart),
        eq(advances.periodEnd, periodEnd),
        notInArray(advances.state, UNUSED_QUOTE_STATES),
      ),
    );
  return activeAdvance && lockAdvance(tx, companyId, activeAdvance.id);
}

type QuoteInput = {
  readonly company: typeof companies.$inferSelect;
  readonly obligation: ObligationRow;
  readonly basis: AdvanceBasis;
  readonly price: Price;
  readonly feeRateBps: number;
  readonly terms: AdvanceTerms;
};

/** Builds the columns of a quote: price, rule results and agreement, which are fixed together. */
async function buildQuote(deps: AppDeps, tx: Tx, { company, obligation, basis, price, feeRateBps, terms }: QuoteInput) {
  const now = deps.clock.now();
  const today = deps.clock.today();
  const facts = await loadEligibilityFacts(tx, company.id, obligation.id, price.refund, today);
  const rules = evaluateEligibility(facts, await withExposureLimits(tx, company.id, terms), today);
  const agreement = writeAgreement({
    brand: deps.site.brand,
    companyName: company.name,
    vrn: company.vrn ?? '',
    periodStart: obligation.periodStart,
    periodEnd: obligation.periodEnd,
    price,
    feeRateBps,
    payWithinHours: terms.payWithinHours,
    foundOn: basis.columns.foundOn,
    shortfallNoticeDays: terms.shortfallNoticeDays,
    maxInstalments: MAX_INSTALMENTS,
    offersDirectDebit: deps.directDebits !== undefined,
  });
  return {
    ...basis.columns,
    periodStart: obligation.periodStart,
    periodEnd: obligation.periodEnd,
    refundPence: price.refund,
    feePence: price.fee,
    feeRateBps,
    netPence: price.net,
    eligible: isEligible(rules),
    rules,
    agreementText: agreement.text,
    agreementVersion: agreement.version,
    repaymentDays: await loadRepaymentDays(tx, terms),
    agreementHash: createHash('sha256').update(agreement.text).digest('hex'),
    quotedAt: now,
    validUntil: addMilliseconds(now, terms.quoteValidDays * DAY_MS),
    updatedAt: now,
  };
}
