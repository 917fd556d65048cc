/** Prices the refund of an accepted return and judges the rules. A quote that is still open is replaced by a new version; an accepted one is never touched. */
import { createHash, randomUUID } from 'node:crypto';
import { advances, companies } from '@portal/db/schema/schema.ts';
import { termsOn } from '@portal/domain/advances/advance-terms.ts';
import { writeAgreement } from '@portal/domain/advances/agreement-text.ts';
import { isEligible, judgeEligibility } from '@portal/domain/advances/judge-eligibility.ts';
import { priceRefund } from '@portal/domain/advances/price-refund.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { findPartner } from '@portal/domain/partners/partners.ts';
import { and, eq, notInArray } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { nothingHere } from '../../http/policies.ts';
import { refreshRegisterFacts } from '../company-look-up/refresh-register-facts.ts';
import { getReturnPicture } from '../vat-returns/read-return.ts';
import { gatherFacts } from './eligibility-facts.ts';
import { lockAdvance, moveAdvance, recordMove } from './move-advance.ts';

const DAY_MS = 86_400_000;
const DEAD_STATES = ['expired', 'withdrawn', 'declined'];

/** Why there is no quote, in a sentence; undefined where there is one now. */
export type NoQuote = string | undefined;

export async function quoteRefund(deps: AppDeps, companyId: string, obligationId: string, actor: string): Promise<NoQuote> {
  await refreshRegisterFacts(deps, companyId);
  return deps.database.db.transaction(async (tx) => {
    // One pricing of a company at a time: two would both find no live quote.
    const [company] = await tx.select().from(companies).where(eq(companies.id, companyId)).for('update');
    if (!company) throw nothingHere();
    const { filing, obligation } = await getReturnPicture(deps, tx, companyId, obligationId);
    if (filing?.state !== 'accepted') return 'The return is not filed through us yet.';
    if (filing.boxes.direction !== 'repayment') return 'This return is not a repayment: there is no refund to buy.';
    const now = deps.clock.now();
    const today = deps.clock.today();
    const terms = termsOn(today);
    const rateBps = findPartner(company.partner).feeRateBps;
    const price = priceRefund(filing.boxes.box5_pence, rateBps, terms.minimumFeePence);
    if (!price) return 'The refund is too small: our least fee would leave nothing for you. HMRC repays you as usual.';
    const rules = judgeEligibility(await gatherFacts(tx, companyId, obligationId, price.refund, today), terms, today);
    const agreementText = writeAgreement({
      brand: deps.site.brand,
      companyName: company.name,
      vrn: company.vrn ?? '',
      periodStart: obligation.periodStart,
      periodEnd: obligation.periodEnd,
      price,
      feeRateBps: rateBps,
      payWithinHours: terms.payWithinHours,
    });
    const quote = {
      filingId: filing.id,
      refundPence: price.refund,
      feePence: price.fee,
      feeRateBps: rateBps,
      netPence: price.net,
      eligible: isEligible(rules),
      rules,
      agreementText,
      agreementHash: createHash('sha256').update(agreementText).digest('hex'),
      quotedAt: now,
      validUntil: addMilliseconds(now, terms.quoteValidDays * DAY_MS),
      updatedAt: now,
    };
    const [live] = await tx
      .select({ id: advances.id })
      .from(advances)
      .where(and(eq(advances.companyId, companyId), eq(advances.obligationId, obligationId), notInArray(advances.state, DEAD_STATES)));
    const present = live && (await lockAdvance(tx, companyId, live.id));
    if (present && present.state !== 'quoted') return undefined;
    const mover = { actor, at: now };
    if (present && present.validUntil > now) {
      await tx
        .update(advances)
        .set({ ...quote, version: present.version + 1 })
        .where(and(eq(advances.companyId, companyId), eq(advances.id, present.id)));
      return undefined;
    }
    if (present) await moveAdvance(tx, present, 'expired', mover, 'The quote was not accepted in time.');
    const id = randomUUID();
    await tx.insert(advances).values({ companyId, id, obligationId, state: 'quoted', version: 1, ...quote });
    await recordMove(tx, companyId, id, null, 'quoted', mover, 'Priced after HMRC accepted the return.');
    return undefined;
  });
}
