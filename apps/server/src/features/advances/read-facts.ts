/**
 * Rereads HMRC's figures whenever the trader's action commits us, with that user's fraud prevention headers: obligations, charges,
 * payments, the name on the VAT number, and any return filed elsewhere. Nothing is agreed on figures that couldn't be read.
 */
import { findDatabaseOutage } from '@portal/db/database-outage.ts';
import { advances, companies } from '@portal/db/schema/schema.ts';
import { STATES_BEFORE_PAYOUT } from '@portal/domain/advances/advance-states.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { refreshHmrc } from '../hmrc-connection/refresh-hmrc.ts';
import type { ActingUser } from '../hmrc-connection/with-trader-access-token.ts';
import { fetchFoundReturn } from '../vat-returns/found-returns.ts';
import { enqueueProgress } from './enqueue-progress.ts';
import { refreshPayeeFacts } from './refresh-payee-facts.ts';
import { lockAdvance } from './transition-advance.ts';

/** Takes priority over other users' calls to HMRC, because the offer expires. */
const URGENT_CALL = { priority: 'urgent' } as const;

/** Returns when the figures were read, or null if HMRC is no longer connected, which the rules report. */
export async function readFacts(deps: AppDeps, user: ActingUser, companyId: string, advanceId: string): Promise<Instant | null> {
  const { db } = deps.database;
  const [advance] = await db
    .select({ obligationId: advances.obligationId, foundReturnId: advances.foundReturnId })
    .from(advances)
    .where(and(eq(advances.companyId, companyId), eq(advances.id, advanceId)));
  if (!advance) throw createNotFoundError();
  const readAt = deps.clock.now();
  const { status, message } = await refreshHmrc(deps, companyId, user, URGENT_CALL);
  if (status === 'lapsed') return null;
  if (status === 'unavailable') throw createUnreadableError(message);
  try {
    if (advance.foundReturnId !== null) await fetchFoundReturn(deps, user, companyId, advance.obligationId, URGENT_CALL);
    await refreshRegisteredName(deps, companyId);
  } catch (error) {
    const isHmrcError = error instanceof ProviderError && findDatabaseOutage(error) === undefined;
    throw isHmrcError ? createUnreadableError('We couldn’t reach HMRC.', error) : error;
  }
  await refreshPayeeFacts(deps, companyId);
  return readAt;
}

function createUnreadableError(reason: string, cause?: unknown): AppError {
  return new AppError(
    'upstream',
    'advance.facts_unreadable',
    `We couldn’t check the refund with HMRC, so nothing has been agreed or paid. ${reason}`,
    undefined,
    cause,
  );
}

/** The name may have changed, or the VAT number may have been cancelled, since the company was added. */
async function refreshRegisteredName(deps: AppDeps, companyId: string): Promise<void> {
  const { db } = deps.database;
  const [company] = await db.select({ vrn: companies.vrn }).from(companies).where(eq(companies.id, companyId));
  if (!company?.vrn) return;
  const registration = await deps.hmrc.lookupVatNumber(company.vrn, URGENT_CALL);
  await db
    .update(companies)
    .set({ vrnRegisteredName: registration?.name ?? null })
    .where(eq(companies.id, companyId));
}

/** Lets the trader reconfirm the refund, because HMRC's figures have become too old to base a payout on. */
export async function confirmFacts(deps: AppDeps, user: ActingUser, companyId: string, advanceId: string): Promise<void> {
  const readAt = await readFacts(deps, user, companyId, advanceId);
  if (readAt === null) throw createUnreadableError('The connection to HMRC has ended. Connect HMRC again.');
  await deps.database.db.transaction(async (tx) => {
    const advance = await lockAdvance(tx, companyId, advanceId);
    if (!advance) throw createNotFoundError();
    if (!STATES_BEFORE_PAYOUT.includes(advance.state)) return;
    const at = deps.clock.now();
    await tx
      .update(advances)
      .set({ factsReadAt: readAt, factsRequestedAt: null, updatedAt: at })
      .where(and(eq(advances.companyId, companyId), eq(advances.id, advanceId)));
    await recordAudit(tx, {
      companyId,
      at,
      actor: user.actor.userId,
      action: 'advance.facts_confirmed',
      subject: advanceId,
      after: { facts_read_at: readAt },
      ip: user.caller.ip,
    });
    await enqueueProgress(deps, tx, companyId, advanceId);
  });
}
