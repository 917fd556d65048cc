/** Queued and scheduled work on Direct Debits and shortfalls. */
import { advances, companies, directDebits, mandates, shortfalls } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { RECLAIM_DAYS } from '@portal/domain/shortfalls/direct-debit.ts';
import { and, eq, inArray, isNull, lt, or, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { PortalJobHandlers } from '../../jobs/job-kinds.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { lockAdvance, lockCompany } from '../advances/transition-advance.ts';
import { remindOverdue } from '../shortfalls/remind-overdue.ts';
import { syncShortfall } from '../shortfalls/sync-shortfall.ts';
import { enqueueSubmit, orderDueDirectDebits } from './order-direct-debit.ts';
import { cancelMandate } from './cancel-mandate.ts';
import { readMandate } from './read-mandate.ts';
import { readPayouts } from './read-payouts.ts';
import { cancelDirectDebit, readDirectDebit, submitDirectDebit } from './submit-direct-debit.ts';

const BATCH_SIZE = 100;
const DAY_MS = 86_400_000;

type DirectDebitJobs = Pick<
  PortalJobHandlers,
  'direct-debit.submit' | 'direct-debit.cancel' | 'mandate.cancel' | 'direct-debits.poll' | 'direct-debit-payouts.poll' | 'shortfalls.sweep'
>;

export function directDebitJobs(deps: AppDeps): DirectDebitJobs {
  return {
    'direct-debit.submit': ({ company_id, direct_debit_id }) => submitDirectDebit(deps, company_id, direct_debit_id),
    'direct-debit.cancel': ({ company_id, direct_debit_id }) => cancelDirectDebit(deps, company_id, direct_debit_id),
    'mandate.cancel': ({ company_id, mandate_id }) => cancelMandate(deps, company_id, mandate_id),
    'direct-debits.poll': () => pollDirectDebits(deps),
    'direct-debit-payouts.poll': () => readPayouts(deps),
    'shortfalls.sweep': async () => {
      await syncOutdatedCases(deps);
      await orderDueDirectDebits(deps);
      await remindOverdue(deps);
    },
  };
}

/** Covers lost webhooks. */
async function pollDirectDebits(deps: AppDeps): Promise<void> {
  if (!deps.directDebits) return;
  const { db } = deps.database;
  const live = await db
    .select()
    .from(mandates)
    .where(inArray(mandates.status, ['requested', 'pending_customer_approval', 'pending_submission', 'submitted', 'active']))
    .orderBy(sql`random()`)
    .limit(BATCH_SIZE);
  await tryEach(live, (mandate) => readMandate(deps, mandate));
  const openDirectDebits = await db
    .select()
    .from(directDebits)
    .where(
      or(
        inArray(directDebits.status, ['created', 'pending_customer_approval', 'pending_submission', 'submitted', 'confirmed']),
        and(
          eq(directDebits.status, 'paid_out'),
          sql`${directDebits.updatedAt} > ${addMilliseconds(deps.clock.now(), -RECLAIM_DAYS * DAY_MS)}`,
        ),
      ),
    )
    .orderBy(sql`random()`)
    .limit(BATCH_SIZE);
  await tryEach(openDirectDebits, async (debit) => {
    if (debit.providerPaymentId !== null) await readDirectDebit(deps, debit);
    else if (debit.updatedAt < addMilliseconds(deps.clock.now(), -60_000)) await enqueueSubmit(deps, db, debit.companyId, debit.id);
  });
}

/** Updates cases that are inconsistent with their advance, for example after an earlier version or an operator's match. */
async function syncOutdatedCases(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const rows = await db
    .select({ companyId: advances.companyId, id: advances.id })
    .from(advances)
    .innerJoin(companies, eq(companies.id, advances.companyId))
    .leftJoin(shortfalls, and(eq(shortfalls.companyId, advances.companyId), eq(shortfalls.advanceId, advances.id)))
    .where(
      or(
        and(
          inArray(advances.state, ['shortfall', 'collecting']),
          or(isNull(shortfalls.id), inArray(shortfalls.status, ['watching', 'closed', 'settled'])),
        ),
        and(
          inArray(advances.state, ['settled', 'written_off', 'payout_failed']),
          inArray(shortfalls.status, ['watching', 'due', 'disputed']),
          lt(shortfalls.updatedAt, addMilliseconds(deps.clock.now(), -1_000)),
        ),
      ),
    )
    .limit(BATCH_SIZE);
  await tryEach(rows, ({ companyId, id }) =>
    db.transaction(async (tx) => {
      await lockCompany(tx, companyId);
      const advance = await lockAdvance(tx, companyId, id);
      if (advance) await syncShortfall(deps, tx, advance, { actor: 'rules', at: deps.clock.now() });
    }),
  );
}
