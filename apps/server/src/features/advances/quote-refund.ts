/**
 * Prices the refund of a return that HMRC holds and evaluates the rules. An open quote is replaced by a new version; an accepted one never
 * changes.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { advances, companies } from '@portal/db/schema/schema.ts';
import { termsOn, type AdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { writeAgreement } from '@portal/domain/advances/agreement-text.ts';
import { isEligible, judgeEligibility } from '@portal/domain/advances/judge-eligibility.ts';
import { priceRefund, type Price } from '@portal/domain/advances/price-refund.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { findPartner } from '@portal/domain/partners/partners.ts';
import { and, eq, notInArray } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { nothingHere } from '../../http/policies.ts';
import { refreshRegisterFacts } from '../company-look-up/refresh-register-facts.ts';
import { getReturnPicture, type ObligationRow, type ReturnPicture } from '../vat-returns/get-return.ts';
import { gatherFacts } from './eligibility-facts.ts';
import { findBasis, type Basis } from './basis-queries.ts';
import { lockAdvance, moveAdvance, recordMove, type AdvanceRow } from './move-advance.ts';

const DAY_MS = 86_400_000;
const DEAD_STATES = ['expired', 'withdrawn', 'declined'];

/** Why there is no quote, as a sentence. Undefined if there is one now. */
export type NoQuote = string | undefined;

/** `actor` is a user's ID, or "rules" for automatic quotes. Automatic quotes leave an open quote on the same return unchanged. */
export async function quoteRefund(deps: AppDeps, companyId: string, obligationId: string, actor: string): Promise<NoQuote> {
  await refreshRegisterFacts(deps, companyId);
  return deps.database.db.transaction(async (tx) => {
    // Only one pricing at a time for each company: two at once would both find no active quote.
    const [company] = await tx.select().from(companies).where(eq(companies.id, companyId)).for('update');
    if (!company) throw nothingHere();
    const picture = await getReturnPicture(deps, tx, companyId, obligationId);
    const present = await lockLiveAdvance(tx, picture.obligation);
    // HMRC can list two returns for the same dates. A period can be advanced only once, whatever the basis.
    if (present && present.obligationId !== obligationId) return 'There is an offer for this period already.';
    if (present && present.state !== 'quoted') return undefined;
    const now = deps.clock.now();
    const mover = { actor, at: now };
    const terms = termsOn(deps.clock.today());
    const feeRateBps = findPartner(company.partner).feeRateBps;
    const found = await priceReturn(tx, company, picture, feeRateBps, terms);
    if (typeof found === 'string') {
      // The return changed under an open quote, so the quoted refund no longer exists.
      if (present) await moveAdvance(tx, present, 'expired', mover, found);
      return found;
    }
    const { basis, price } = found;
    const isOpen = present !== undefined && present.validUntil > now;
    if (isOpen && actor === 'rules' && isOn(present, basis)) return undefined;
    const quote = await writeQuote(deps, tx, { company, obligation: picture.obligation, basis, price, feeRateBps, terms });
    if (isOpen) {
      await tx
        .update(advances)
        .set({ ...quote, version: present.version + 1 })
        .where(and(eq(advances.companyId, companyId), eq(advances.id, present.id)));
      return undefined;
    }
    if (present) await moveAdvance(tx, present, 'expired', mover, 'The quote was not accepted in time.');
    const id = randomUUID();
    await tx.insert(advances).values({ companyId, id, obligationId, state: 'quoted', version: 1, ...quote });
    const reason =
      basis.columns.filingId === null ? 'Priced after the return was found at HMRC.' : 'Priced after HMRC accepted the return.';
    await recordMove(tx, companyId, id, null, 'quoted', mover, reason);
    return undefined;
  });
}

/** The basis and price of the refund, or a sentence that says why it cannot be bought. */
async function priceReturn(
  tx: Tx,
  company: typeof companies.$inferSelect,
  picture: ReturnPicture,
  feeRateBps: number,
  terms: AdvanceTerms,
): Promise<{ basis: Basis; price: Price } | string> {
  const basis = await findBasis(tx, company, picture);
  if (typeof basis === 'string') return basis;
  if (basis.boxes.direction !== 'repayment') return 'This return is not a repayment: there is no refund to buy.';
  const price = priceRefund(basis.boxes.box5_pence, feeRateBps, terms.minimumFeePence);
  return price ? { basis, price } : 'The refund is too small: our least fee would leave nothing for you. HMRC repays you as usual.';
}

function isOn(advance: AdvanceRow, { columns }: Basis): boolean {
  return advance.filingId === columns.filingId && advance.foundReturnId === columns.foundReturnId;
}

/** Locks and returns the period's advance that is not expired, withdrawn or declined. */
async function lockLiveAdvance(tx: Tx, { companyId, periodStart, periodEnd }: ObligationRow): Promise<AdvanceRow | undefined> {
  const [live] = await tx
    .select({ id: advances.id })
    .from(advances)
    .where(
      and(
        eq(advances.companyId, companyId),
        eq(advances.periodStart, periodStart),
        eq(advances.periodEnd, periodEnd),
        notInArray(advances.state, DEAD_STATES),
      ),
    );
  return live && lockAdvance(tx, companyId, live.id);
}

type Priced = {
  readonly company: typeof companies.$inferSelect;
  readonly obligation: ObligationRow;
  readonly basis: Basis;
  readonly price: Price;
  readonly feeRateBps: number;
  readonly terms: AdvanceTerms;
};

/** The columns of a quote: price, rule results and agreement, fixed together. */
async function writeQuote(deps: AppDeps, tx: Tx, { company, obligation, basis, price, feeRateBps, terms }: Priced) {
  const now = deps.clock.now();
  const today = deps.clock.today();
  const rules = judgeEligibility(await gatherFacts(tx, company.id, obligation.id, price.refund, today), terms, today);
  const agreementText = writeAgreement({
    brand: deps.site.brand,
    companyName: company.name,
    vrn: company.vrn ?? '',
    periodStart: obligation.periodStart,
    periodEnd: obligation.periodEnd,
    price,
    feeRateBps,
    payWithinHours: terms.payWithinHours,
    foundOn: basis.columns.foundOn,
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
    agreementText,
    agreementHash: createHash('sha256').update(agreementText).digest('hex'),
    quotedAt: now,
    validUntil: addMilliseconds(now, terms.quoteValidDays * DAY_MS),
    updatedAt: now,
  };
}
