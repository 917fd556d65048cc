/**
 * Moves existing subscribers to a published list: an operator previews the effect on each, two operators decide, and one operator can
 * cancel the move.
 */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { priceMovesApi } from '@portal/contract/price-moves.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { companies, priceMoves, priceNotices, subscriptions } from '@portal/db/schema/schema.ts';
import { and, desc, eq, lt, ne } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { formatPounds, pence, sumPence } from '@portal/domain/money.ts';
import { addDays, formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { NOTICE_DAYS, type PriceList } from '@portal/domain/pricing/price-list.ts';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { lockCompany } from '../advances/transition-advance.ts';
import type { ApprovalAction } from '../approvals/approval-action.ts';
import { requestApproval } from '../approvals/request-approval.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { getMove } from '../billing/price-move.ts';
import { findUpcomingPrice, stopMove } from '../billing/stop-price-move.ts';
import { listPriceLists } from '../pricing/practice-prices.ts';

type Preview = EndpointOutput<typeof priceMovesApi.preview>;

export async function previewMove({ database: { db }, clock }: AppDeps, version: number): Promise<Preview> {
  const lists = await listPriceLists(db);
  if (!lists.some((list) => list.version === version)) throw createNotFoundError();
  return loadPreview(db, { lists, version, today: clock.today() });
}

async function loadPreview(
  db: Db | Tx,
  { lists, version, today }: { lists: readonly PriceList[]; version: number; today: PlainDate },
): Promise<Preview> {
  const rows = await db
    .select({ subscription: subscriptions, practice: companies.name })
    .from(subscriptions)
    .innerJoin(companies, eq(companies.id, subscriptions.companyId))
    .where(and(ne(subscriptions.status, 'ended'), lt(subscriptions.priceListVersion, version)));
  const movesFrom = addDays(today, NOTICE_DAYS);
  const practices = rows.map(({ subscription, practice }) => {
    const move = getMove(lists, subscription, { toVersion: version, movesFrom });
    return {
      company_id: subscription.companyId,
      practice,
      no_connections: subscription.connections,
      from_version: subscription.priceListVersion,
      from_total_pence: move.fromTotalPence,
      to_total_pence: move.toTotalPence,
      moves_on: move.movesOn,
      ends_at_renewal: subscription.endsAtRenewal,
    };
  });
  const getIncrease = (item: (typeof practices)[number]) => item.to_total_pence - item.from_total_pence;
  return {
    version,
    moves_from: movesFrom,
    practices: practices.toSorted((a, b) => getIncrease(b) - getIncrease(a) || a.practice.localeCompare(b.practice)),
    from_total_pence: sumPence(practices.map((practice) => practice.from_total_pence)),
    to_total_pence: sumPence(practices.map((practice) => practice.to_total_pence)),
    problem: await findMoveProblem(db, { lists, version, today, count: practices.length }),
  };
}

type MoveFacts = { readonly lists: readonly PriceList[]; readonly version: number; readonly today: PlainDate; readonly count: number };

/** Only one move at a time, so that a practice knows its next price. */
async function findMoveProblem(db: Db | Tx, { lists, version, today, count }: MoveFacts): Promise<string | null> {
  const list = lists.find((list) => list.version === version);
  if (list && list.effectiveFrom > today)
    return `Version ${version} is for new customers from ${formatDate(list.effectiveFrom)}. Existing customers can be moved from that date.`;
  if (count === 0) return 'No practice is on an earlier price list.';
  const [openMove] = await db
    .select({ toVersion: priceNotices.toVersion })
    .from(priceNotices)
    .where(eq(priceNotices.status, 'noticed'))
    .limit(1);
  if (openMove)
    return `Practices have already been given notice of version ${openMove.toVersion}. Wait until they have moved, or cancel that move.`;
  return null;
}

const moveDetails = z.object({
  version: z.int(),
  practices: z.int(),
  from_total_pence: z.int(),
  to_total_pence: z.int(),
});
type MoveDetails = z.infer<typeof moveDetails>;

export const MOVE_SUBSCRIBERS: ApprovalAction<MoveDetails> = {
  action: 'price_list.move',
  access: 'operator.manage',
  details: moveDetails,
  describe: ({ version, practices, ...amounts }) =>
    `Gives ${practices} ${practices === 1 ? 'practice' : 'practices'} notice of a move to version ${version} of our prices at their first renewal at least ${NOTICE_DAYS} days after the notice. Together they paid ${formatPounds(pence(amounts.from_total_pence))} a month including VAT when this was requested, and would pay ${formatPounds(pence(amounts.to_total_pence))}.`,
  apply: async (tx, deps, { id, details: { version, ...details }, requestedBy, by, at, ip }) => {
    const lists = await listPriceLists(tx);
    const { problem } = await loadPreview(tx, { lists, version, today: deps.clock.today() });
    if (problem !== null) throw new AppError('conflict', 'price_move.not_possible', `${problem} Reject this request.`);
    await tx.insert(priceMoves).values({ id, toVersion: version, decidedAt: at });
    const subject = `price_list ${version}`;
    const after = { ...details, version, move_id: id, requested_by: requestedBy };
    await recordAudit(tx, { companyId: NO_COMPANY, at, actor: by, action: 'price_list.move_decided', subject, after, ip });
    await deps.enqueue(tx, 'billing.notice', { move_id: id }, { singletonKey: `billing.notice:${id}` });
  },
};

export function requestMove(deps: AppDeps, { input, actor, caller }: Call<typeof priceMovesApi.request>) {
  const { version, reason } = input;
  return deps.database.db.transaction(async (tx) => {
    await lockCompany(tx, NO_COMPANY);
    const lists = await listPriceLists(tx);
    if (!lists.some((list) => list.version === version)) throw createNotFoundError();
    const preview = await loadPreview(tx, { lists, version, today: deps.clock.today() });
    if (preview.problem !== null) throw new AppError('conflict', 'price_move.not_possible', preview.problem);
    const { from_total_pence, to_total_pence } = preview;
    return requestApproval(deps, tx, MOVE_SUBSCRIBERS, {
      companyId: NO_COMPANY,
      subject: 'price_move',
      details: { version, practices: preview.practices.length, from_total_pence, to_total_pence },
      reason,
      requestedBy: actor.userId,
      at: deps.clock.now(),
      ip: caller.ip,
    });
  });
}

export async function listMoves({ database: { db }, clock }: AppDeps): Promise<EndpointOutput<typeof priceMovesApi.list>> {
  const moves = await db.select().from(priceMoves).orderBy(desc(priceMoves.decidedAt));
  const rows = await db
    .select({ notice: priceNotices, subscription: subscriptions, practice: companies.name })
    .from(priceNotices)
    .innerJoin(companies, eq(companies.id, priceNotices.companyId))
    .innerJoin(subscriptions, and(eq(subscriptions.companyId, priceNotices.companyId), eq(subscriptions.id, priceNotices.subscriptionId)))
    .orderBy(companies.name);
  const lists = await listPriceLists(db);
  const tooLate = new Set<string>();
  for (const { notice, subscription } of rows) {
    if (notice.status === 'noticed' && (await findUpcomingPrice(db, subscription, clock.now())) !== undefined) tooLate.add(subscription.id);
  }
  return {
    moves: moves.map((move) => ({
      move_id: move.id,
      to_version: move.toVersion,
      decided_on: toLondonDate(move.decidedAt),
      stopped_on: move.stoppedAt === null ? null : toLondonDate(move.stoppedAt),
      noticed_on: move.noticedAt === null ? null : toLondonDate(move.noticedAt),
      practices: rows
        .filter(({ notice }) => notice.moveId === move.id)
        .map(({ notice, subscription, practice }) => ({
          company_id: notice.companyId,
          practice,
          no_connections: notice.connections,
          from_version: notice.fromVersion,
          from_total_pence: notice.fromTotalPence,
          to_total_pence: notice.toTotalPence,
          moves_on: notice.movedAt === null ? getMove(lists, subscription, notice).movesOn : toLondonDate(notice.movedAt),
          status: notice.status,
          is_too_late: notice.status === 'noticed' && tooLate.has(subscription.id),
          noticed_on: notice.noticedOn,
        })),
    })),
  };
}

/** One operator is enough: practices whose move can still be stopped keep the price they have. */
export async function cancelMove(deps: AppDeps, { input, actor, caller }: Call<typeof priceMovesApi.stop>) {
  const by = { reason: input.reason, actor: actor.userId, ip: caller.ip };
  const { stopped, moving } = await stopMove(deps, { moveId: input.move_id, ...by });
  return { stopped, moving: moving.map(({ practice, movesOn }) => ({ practice, moves_on: movesOn })) };
}
