/** Gives each practice on an earlier price list its 60 days' notice, by email and in its billing settings. */
import { priceMoves, priceNotices, subscriptions } from '@portal/db/schema/schema.ts';
import { and, asc, eq, isNull, lt, ne } from '@portal/db/sql.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import { NOTICE_DAYS } from '@portal/domain/pricing/price-list.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { listPriceLists } from '../pricing/practice-prices.ts';
import { enqueuePriceEmail } from './billing-emails.ts';
import { isThisSubscription, type SubscriptionRow } from './billing-records.ts';
import { getMove } from './price-move.ts';

export async function enqueueUnfinishedNotices(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const unfinishedNotices = await db
    .select()
    .from(priceMoves)
    .where(and(isNull(priceMoves.noticedAt), isNull(priceMoves.stoppedAt)));
  await tryEach(unfinishedNotices, ({ id }) =>
    deps.enqueue(db, 'billing.notice', { move_id: id }, { singletonKey: `billing.notice:${id}` }),
  );
}

export async function sendPriceMoveNotices(deps: AppDeps, moveId: string): Promise<void> {
  const { db } = deps.database;
  const [move] = await db.select().from(priceMoves).where(eq(priceMoves.id, moveId));
  if (!move || move.noticedAt !== null || move.stoppedAt !== null) return;
  const isConcerned = and(ne(subscriptions.status, 'ended'), lt(subscriptions.priceListVersion, move.toVersion));
  const concernedSubscriptions = await db.select().from(subscriptions).where(isConcerned).orderBy(asc(subscriptions.companyId));
  await tryEach(concernedSubscriptions, (subscription) => sendNotice(deps, move, subscription));
  await db
    .update(priceMoves)
    .set({ noticedAt: deps.clock.now() })
    .where(and(eq(priceMoves.id, moveId), isNull(priceMoves.noticedAt)));
}

/** Gives notice once for each practice, even if the job is repeated: the 60 days count from this email. */
async function sendNotice(deps: AppDeps, move: typeof priceMoves.$inferSelect, { companyId, id }: SubscriptionRow): Promise<void> {
  const at = deps.clock.now();
  const today = toLondonDate(at);
  await deps.database.db.transaction(async (tx) => {
    const [stoppedMove] = await tx
      .select({ stoppedAt: priceMoves.stoppedAt })
      .from(priceMoves)
      .where(eq(priceMoves.id, move.id))
      .for('share');
    const [subscription] = await tx.select().from(subscriptions).where(isThisSubscription({ companyId, id })).for('update');
    if (stoppedMove?.stoppedAt !== null || !subscription || subscription.status === 'ended') return;
    const { toVersion } = move;
    const lists = await listPriceLists(tx);
    const movesFrom = addDays(today, NOTICE_DAYS);
    const { fromTotalPence, toTotalPence } = getMove(lists, subscription, { toVersion, movesFrom });
    const notice = {
      companyId,
      subscriptionId: id,
      moveId: move.id,
      status: 'noticed' as const,
      fromVersion: subscription.priceListVersion,
      toVersion,
      noticedOn: today,
      movesFrom,
      connections: subscription.connections,
      fromTotalPence,
      toTotalPence,
    };
    const insertedNotices = await tx.insert(priceNotices).values(notice).onConflictDoNothing().returning({ moveId: priceNotices.moveId });
    if (insertedNotices.length === 0) return;
    const after = { to_version: toVersion, moves_from: movesFrom, from_total_pence: fromTotalPence, to_total_pence: toTotalPence };
    await recordAudit(tx, { companyId, at, actor: 'rules', action: 'price_notice.given', subject: id, after });
    await enqueuePriceEmail(deps, tx, subscription, { ...notice, lists });
  });
}
