/**
 * Returns filed with other software and found at HMRC, stored as HMRC listed them. They can be the basis of an advance. Traders of a
 * bridging partner get a quote automatically (docs/product/decisions.md section 8); others must request one.
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { companies, filings, foundReturns, hmrcReturns, obligations, type FiledBoxes } from '@portal/db/schema/schema.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { evaluateRefundAtHmrc } from '@portal/domain/advances/refund-at-hmrc.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { getPartner } from '@portal/domain/partners/partners.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import type { NineBoxes } from '@portal/domain/vat-returns/nine-boxes.ts';
import type { HmrcCall } from '@portal/providers/hmrc/hmrc-types.ts';
import type { CallOptions } from '@portal/providers/http/rate-limit-fetch.ts';
import { and, asc, eq, gte, inArray, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { lockCompany } from '../advances/transition-advance.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { fetchLiabilities } from '../hmrc-connection/read-liabilities.ts';
import { withTraderAccessToken, type ActingUser } from '../hmrc-connection/with-trader-access-token.ts';
import { findFoundReturn, findRefundCharge, type FoundReturn } from './find-found-return.ts';
import { getReturnSnapshot, type ObligationRow } from './get-return.ts';
import { toDomainBoxes, toNineBoxes } from './to-nine-boxes.ts';

/** Stores the returns that a refresh has just read, if HMRC received them recently enough for the refund to be outstanding. */
export async function saveFoundReturns(deps: AppDeps, companyId: string, vrn: string): Promise<void> {
  const today = deps.clock.today();
  const since = addDays(today, -getAdvanceTerms(today).hmrcRepaysWithinDays);
  const rows = await deps.database.db
    .select({ obligation: obligations, hmrcReturn: hmrcReturns })
    .from(obligations)
    .innerJoin(hmrcReturns, and(eq(hmrcReturns.companyId, obligations.companyId), eq(hmrcReturns.obligationId, obligations.id)))
    .leftJoin(
      filings,
      and(
        eq(filings.companyId, obligations.companyId),
        eq(filings.obligationId, obligations.id),
        // What HMRC has may be one of our own filings. The outcome of that attempt determines who filed the return.
        inArray(filings.state, ['sending', 'unknown', 'accepted']),
      ),
    )
    .where(
      and(
        eq(obligations.companyId, companyId),
        eq(obligations.status, 'fulfilled'),
        gte(obligations.receivedOn, since),
        isNull(filings.id),
      ),
    )
    .orderBy(asc(obligations.periodEnd));
  for (const { obligation, hmrcReturn } of rows) await saveFoundReturn(deps, vrn, obligation, toNineBoxes(hmrcReturn));
}

/** Call this before pricing: reads HMRC's current version of a return filed with other software. */
export async function fetchIfFiledElsewhere(deps: AppDeps, user: ActingUser, companyId: string, obligationId: string): Promise<void> {
  const { state } = await getReturnSnapshot(deps, deps.database.db, companyId, obligationId);
  if (state === 'filed_elsewhere') await fetchFoundReturn(deps, user, companyId, obligationId);
}

/** Reads one return and the charges from HMRC for a user's request. Throws if HMRC does not respond, because we never buy on old data. */
export async function fetchFoundReturn(
  deps: AppDeps,
  user: ActingUser,
  companyId: string,
  obligationId: string,
  options: Pick<CallOptions, 'priority'> = {},
): Promise<FoundReturn> {
  const [obligation] = await deps.database.db
    .select()
    .from(obligations)
    .where(and(eq(obligations.companyId, companyId), eq(obligations.id, obligationId)));
  if (!obligation) throw createNotAtHmrcError();
  const read = async (call: HmrcCall, vrn: string): Promise<FoundReturn> => {
    const hmrcReturn = await deps.hmrc.findReturn(call, vrn, obligation.periodKey);
    if (!hmrcReturn) throw createNotAtHmrcError();
    await fetchLiabilities(deps, companyId, call, vrn);
    await saveHmrcReturn(deps, companyId, obligationId, hmrcReturn);
    return saveFoundReturn(deps, vrn, obligation, toVerifiedBoxes(hmrcReturn));
  };
  return withTraderAccessToken(deps, companyId, user, read, options);
}

function createNotAtHmrcError(): AppError {
  return new AppError(
    'conflict',
    'return.not_at_hmrc',
    'HMRC doesn’t show this return at the moment, so we couldn’t get its figures. Try again tomorrow.',
  );
}

/** Boxes 3 and 5 are always computed here. HMRC's values must agree before we pay anything. */
function toVerifiedBoxes(hmrcReturn: NineBoxes): FiledBoxes {
  const boxes = toNineBoxes(toBoxColumns(hmrcReturn));
  if (boxes.box3_pence !== hmrcReturn.box3 || boxes.box5_pence !== hmrcReturn.box5) {
    throw new AppError(
      'upstream',
      'return.inconsistent',
      'HMRC’s figures for this return don’t add up, so we haven’t accepted them. Contact HMRC.',
    );
  }
  return boxes;
}

/** Returns the boxes as columns. Boxes 3 and 5 are computed and don't have columns. */
export function toBoxColumns(hmrcReturn: NineBoxes) {
  return {
    box1Pence: hmrcReturn.box1,
    box2Pence: hmrcReturn.box2,
    box4Pence: hmrcReturn.box4,
    box6Pounds: hmrcReturn.box6,
    box7Pounds: hmrcReturn.box7,
    box8Pounds: hmrcReturn.box8,
    box9Pounds: hmrcReturn.box9,
  };
}

/** Updates our copy, used by screens and history, to HMRC's current figures. */
async function saveHmrcReturn(deps: AppDeps, companyId: string, obligationId: string, hmrcReturn: NineBoxes): Promise<void> {
  const columns = { readAt: deps.clock.now(), ...toBoxColumns(hmrcReturn) };
  await deps.database.db
    .insert(hmrcReturns)
    .values({ companyId, obligationId, ...columns })
    .onConflictDoUpdate({ target: [hmrcReturns.companyId, hmrcReturns.obligationId], set: columns });
}

/** Inserts a row only if HMRC returns something new. Reading the same data twice, even concurrently, stores only one row. */
function saveFoundReturn(deps: AppDeps, vrn: string, obligation: ObligationRow, boxes: FiledBoxes): Promise<FoundReturn> {
  const { companyId, id: obligationId, receivedOn } = obligation;
  if (receivedOn === null) throw createNotAtHmrcError();
  return deps.database.db.transaction(async (tx) => {
    await lockCompany(tx, companyId);
    const storedReturn = await findFoundReturn(tx, companyId, obligationId);
    if (storedReturn && storedReturn.vrn === vrn && storedReturn.receivedOn === receivedOn && hasSameBoxes(storedReturn.boxes, boxes))
      return storedReturn;
    const newFoundReturn = { companyId, id: randomUUID(), obligationId, vrn, receivedOn, readAt: deps.clock.now(), boxes };
    await tx.insert(foundReturns).values(newFoundReturn);
    await recordAudit(tx, {
      companyId,
      at: newFoundReturn.readAt,
      actor: 'hmrc',
      action: 'return.found',
      subject: obligationId,
      ...(storedReturn ? { before: storedReturn.boxes } : {}),
      after: { boxes, vrn, received_on: receivedOn },
    });
    if (await isQuotedAutomatically(deps, tx, obligation, receivedOn, boxes)) {
      await deps.enqueue(tx, 'advance.quote', { company_id: companyId, obligation_id: obligationId });
    }
    return newFoundReturn;
  });
}

function hasSameBoxes(storedBoxes: FiledBoxes, current: FiledBoxes): boolean {
  const [before, after] = [toDomainBoxes(storedBoxes), toDomainBoxes(current)];
  return (Object.keys(before) as (keyof typeof before)[]).every((box) => before[box] === after[box]);
}

async function isQuotedAutomatically(
  deps: AppDeps,
  tx: Tx,
  obligation: ObligationRow,
  receivedOn: PlainDate,
  boxes: FiledBoxes,
): Promise<boolean> {
  if (boxes.direction !== 'repayment') return false;
  const [company] = await tx.select({ partner: companies.partner }).from(companies).where(eq(companies.id, obligation.companyId));
  if (getPartner(company?.partner ?? '').kind !== 'bridging') return false;
  const charge = await findRefundCharge(tx, obligation.companyId, obligation);
  const today = deps.clock.today();
  const atHmrc = { receivedOn, ...(charge ? { charge } : {}) };
  return evaluateRefundAtHmrc(boxes.box5_pence, atHmrc, getAdvanceTerms(today), today).outcome !== 'fail';
}
