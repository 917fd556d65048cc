/** Calls a move to another price list off for the practices that haven't moved. */
import { priceMoves, priceNotices, subscriptionChanges, subscriptions } from '@portal/db/schema/schema.ts';
import { and, asc, eq, gt } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import { notFoundError } from '../../http/policies.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { enqueueKeptPriceEmail } from './billing-emails.ts';
import { isThisSubscription } from './billing-records.ts';

type Stop = { readonly moveId: string; readonly reason: string; readonly actor: string; readonly ip: string };

/** Refused while Stripe already has the coming price of a practice: its renewal is days away and would be charged by it. */
export async function stopMove(deps: AppDeps, { moveId, reason, actor, ip }: Stop): Promise<void> {
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    // Also waits for notices that are being given.
    const [move] = await tx.select().from(priceMoves).where(eq(priceMoves.id, moveId)).for('update');
    if (!move) throw notFoundError();
    if (move.stoppedAt !== null) return;
    const notices = await tx
      .select({ notice: priceNotices, subscription: subscriptions })
      .from(priceNotices)
      .innerJoin(subscriptions, and(eq(subscriptions.companyId, priceNotices.companyId), eq(subscriptions.id, priceNotices.subscriptionId)))
      .where(and(eq(priceNotices.moveId, moveId), eq(priceNotices.status, 'noticed')))
      .orderBy(asc(priceNotices.companyId));
    if (notices.length === 0 && move.noticedAt !== null)
      throw new AppError('conflict', 'price_move.finished', 'This move is finished: no practice waits for its new price.');
    for (const { notice, subscription } of notices) {
      await tx.select({ id: subscriptions.id }).from(subscriptions).where(isThisSubscription(subscription)).for('update');
      const isComing = and(
        eq(subscriptionChanges.companyId, notice.companyId),
        eq(subscriptionChanges.subscriptionId, notice.subscriptionId),
        eq(subscriptionChanges.kind, 'price'),
        gt(subscriptionChanges.appliesFrom, at),
      );
      const changes = await tx.select({ status: subscriptionChanges.status }).from(subscriptionChanges).where(isComing);
      if (changes.some(({ status }) => status === 'sending' || status === 'done')) {
        const message = 'A practice renews within three days, and Stripe has its new price already. Try again after that renewal.';
        throw new AppError('conflict', 'price_move.too_late', message);
      }
      await tx
        .update(priceNotices)
        .set({ status: 'stopped' })
        .where(
          and(
            eq(priceNotices.companyId, notice.companyId),
            eq(priceNotices.subscriptionId, notice.subscriptionId),
            eq(priceNotices.moveId, moveId),
          ),
        );
      const after = { to_version: notice.toVersion, reason };
      const entry = { companyId: notice.companyId, at, actor, subject: notice.subscriptionId, after, ip };
      await recordAudit(tx, { ...entry, action: 'price_notice.stopped' });
      await enqueueKeptPriceEmail(deps, tx, subscription);
    }
    await tx.update(priceMoves).set({ stoppedAt: at }).where(eq(priceMoves.id, moveId));
    const after = { move_id: moveId, practices: notices.length, reason };
    const subject = `price_list ${move.toVersion}`;
    await recordAudit(tx, { companyId: NO_COMPANY, at, actor, action: 'price_list.move_stopped', subject, after, ip });
  });
}
