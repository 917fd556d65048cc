import { randomUUID } from 'node:crypto';
import { batchHeaderConfirmations, practices } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { BatchHeader } from '@portal/domain/sync/batch-headers.ts';
import { eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import type { ActingUser } from '../hmrc-connection/with-trader-access-token.ts';
import { findConfirmation } from './nightly-refresh-queries.ts';

/** Switching off is always allowed. */
export async function saveNightlyRefresh(
  deps: AppDeps,
  companyId: string,
  { actor, caller }: ActingUser,
  isOn: boolean,
): Promise<{ done: true }> {
  await deps.database.db.transaction(async (tx) => {
    const confirmation = await findConfirmation(tx);
    if (isOn && !confirmation?.headers.length) {
      const message =
        'HMRC hasn’t yet confirmed which details a nightly refresh must send, so you can’t turn it on. Refresh manually until then.';
      throw new AppError('conflict', 'sync.nightly_not_confirmed', message);
    }
    const [existing] = await tx
      .select({ isOn: practices.nightlyRefresh })
      .from(practices)
      .where(eq(practices.companyId, companyId))
      .for('update');
    if (existing?.isOn === isOn) return;
    const at = deps.clock.now();
    await tx.update(practices).set({ nightlyRefresh: isOn, updatedAt: at }).where(eq(practices.companyId, companyId));
    await recordAudit(tx, {
      companyId,
      at,
      actor: actor.userId,
      action: 'practice.nightly_refresh_set',
      subject: companyId,
      before: { is_on: existing?.isOn ?? false },
      after: { is_on: isOn },
      ip: caller.ip,
    });
  });
  return { done: true };
}

type Confirmation = { readonly headers: readonly BatchHeader[]; readonly note: string };

/** The record is append-only, so it shows which headers were confirmed and when. */
export async function recordConfirmation(
  deps: AppDeps,
  { actor, caller }: ActingUser,
  { headers, note }: Confirmation,
): Promise<{ done: true }> {
  const id = randomUUID();
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    const existing = await findConfirmation(tx);
    const values = { id, headers: [...new Set(headers)], note, recordedBy: actor.userId, recordedAt: at };
    await tx.insert(batchHeaderConfirmations).values(values);
    await recordAudit(tx, {
      companyId: NO_COMPANY,
      at,
      actor: actor.userId,
      action: 'hmrc.batch_headers_recorded',
      subject: id,
      before: existing ? { headers: existing.headers, note: existing.note } : null,
      after: { headers: values.headers, note },
      ip: caller.ip,
    });
  });
  return { done: true };
}
