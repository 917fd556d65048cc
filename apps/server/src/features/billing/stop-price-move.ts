/** Cancels a move to another price list for the practices that can still keep their prices. */
import type { Db, Tx } from '@portal/db/database.ts';
import { companies, priceMoves, priceNotices, subscriptionChanges, subscriptions } from '@portal/db/schema/schema.ts';
import { and, asc, eq, inArray, isNotNull } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { toLondonDate, type Instant } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { enqueuePriceChangeCancelledEmail } from './billing-emails.ts';
import { isThisSubscription, type SubscriptionRow } from './billing-records.ts';

type StopRequest = { readonly moveId: string; readonly reason: string; readonly actor: string; readonly ip: string };

type StoppedMove = {
  /** The number of practices that keep their current prices. */
  readonly stopped: number;
  /** Practices whose new price is already set at Stripe: they renew within days and are charged that price. */
  readonly moving: readonly { readonly practice: string; readonly movesOn: PlainDate }[];
};

export async function stopMove(deps: AppDeps, { moveId, reason, actor, ip }: StopRequest): Promise<StoppedMove> {
  const at = deps.clock.now();
  return deps.database.db.transaction(async (tx) => {
    // This lock also waits until notices in progress have been given.
    const [move] = await tx.select().from(priceMoves).where(eq(priceMoves.id, moveId)).for('update');
    if (!move) throw createNotFoundError();
    const notices = await tx
      .select({ notice: priceNotices, practice: companies.name })
      .from(priceNotices)
      .innerJoin(companies, eq(companies.id, priceNotices.companyId))
      .where(and(eq(priceNotices.moveId, moveId), eq(priceNotices.status, 'noticed')))
      .orderBy(asc(priceNotices.companyId));
    if (notices.length === 0 && move.noticedAt !== null && move.stoppedAt === null)
      throw new AppError('conflict', 'price_move.finished', 'This move is finished: no practice is waiting for its new price.');
    const movingPractices: { practice: string; movesOn: PlainDate }[] = [];
    for (const { notice, practice } of notices) {
      const id = { companyId: notice.companyId, id: notice.subscriptionId };
      const [subscription] = await tx.select().from(subscriptions).where(isThisSubscription(id)).for('update');
      if (!subscription) continue;
      const appliesFrom = await findUpcomingPrice(tx, subscription, at);
      if (appliesFrom !== undefined) {
        movingPractices.push({ practice, movesOn: toLondonDate(appliesFrom) });
        continue;
      }
      const { companyId, subscriptionId } = notice;
      const isOfSubscription = and(eq(priceNotices.companyId, companyId), eq(priceNotices.subscriptionId, subscriptionId));
      await tx
        .update(priceNotices)
        .set({ status: 'stopped' })
        .where(and(isOfSubscription, eq(priceNotices.moveId, moveId)));
      const after = { to_version: notice.toVersion, reason };
      await recordAudit(tx, { companyId, at, actor, subject: subscriptionId, after, ip, action: 'price_notice.stopped' });
      await enqueuePriceChangeCancelledEmail(deps, tx, subscription);
    }
    const stoppedCount = notices.length - movingPractices.length;
    if (move.stoppedAt === null) {
      await tx.update(priceMoves).set({ stoppedAt: at }).where(eq(priceMoves.id, moveId));
      const after = { move_id: moveId, practices: stoppedCount, moving: movingPractices.length, reason };
      const subject = `price_list ${move.toVersion}`;
      await recordAudit(tx, { companyId: NO_COMPANY, at, actor, action: 'price_list.move_stopped', subject, after, ip });
    }
    return { stopped: stoppedCount, moving: movingPractices };
  });
}

/**
 * Returns when Stripe starts charging the subscription at the coming price. Undefined if Stripe doesn't have that price, or the renewal is
 * over and has been read.
 */
export async function findUpcomingPrice(
  db: Db | Tx,
  { companyId, id, periodEnd }: Pick<SubscriptionRow, 'companyId' | 'id' | 'periodEnd'>,
  now: Instant,
): Promise<Instant | undefined> {
  const rows = await db
    .select({ appliesFrom: subscriptionChanges.appliesFrom })
    .from(subscriptionChanges)
    .where(
      and(
        eq(subscriptionChanges.companyId, companyId),
        eq(subscriptionChanges.subscriptionId, id),
        eq(subscriptionChanges.kind, 'price'),
        inArray(subscriptionChanges.status, ['sending', 'done']),
      ),
    );
  // The renewal's day may already be over when the renewal is read here.
  return rows
    .flatMap(({ appliesFrom }) => appliesFrom ?? [])
    .find((appliesFrom) => appliesFrom > now || (periodEnd !== null && appliesFrom >= periodEnd));
}

/** Lets practices keep their prices if the move was cancelled too late for them but they weren't moved after all. */
export async function finishStoppedMoves(deps: AppDeps): Promise<void> {
  const remainingMoves = await deps.database.db
    .selectDistinct({ moveId: priceMoves.id })
    .from(priceMoves)
    .innerJoin(priceNotices, eq(priceNotices.moveId, priceMoves.id))
    .where(and(isNotNull(priceMoves.stoppedAt), eq(priceNotices.status, 'noticed')));
  await tryEach(remainingMoves, async ({ moveId }) => {
    await stopMove(deps, { moveId, reason: 'The move has already been cancelled.', actor: 'rules', ip: '' });
  });
}
