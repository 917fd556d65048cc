/** Reads GoCardless's payouts, after a webhook and by polling in case a webhook is lost. */
import { directDebitPayouts } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { gte } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { recordPayout } from './record-payout.ts';

/** A little less than the six months for which GoCardless keeps a payout's items. */
const LOOK_BACK_MS = 170 * 24 * 3_600_000;

export async function readPayouts(deps: AppDeps): Promise<void> {
  const provider = deps.directDebits;
  if (!provider) return;
  const since = addMilliseconds(deps.clock.now(), -LOOK_BACK_MS);
  const rows = await deps.database.db.select().from(directDebitPayouts).where(gte(directDebitPayouts.createdAt, since));
  const knownPayouts = new Map(rows.map((row) => [row.providerPayoutId, row]));
  const changedPayouts = (await provider.listPayouts(since)).filter(({ payoutId, status }) => {
    const row = knownPayouts.get(payoutId);
    // Record an unexplained payout again: it may be explained once its Direct Debits have been read.
    return row?.status !== status || row.problem !== null;
  });
  await tryEach(changedPayouts, async (payout) => recordPayout(deps, payout, await provider.listPayoutItems(payout.payoutId)));
}
