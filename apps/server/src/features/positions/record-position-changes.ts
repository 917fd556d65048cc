/** Records how new data changed a position, for the list of changes since yesterday. */
import type { Tx } from '@portal/db/database.ts';
import { positionChanges, taxPositions } from '@portal/db/schema/schema.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import { hasPositionChanged, type PositionFigures } from '@portal/domain/positions/describe-position-change.ts';
import { ZERO } from '@portal/domain/money.ts';
import type { Position } from '@portal/domain/positions/position.ts';
import { getNextDueKind } from '@portal/domain/positions/position.ts';
import { and, eq, inArray, lt } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordWebhooks } from '../webhooks/record-webhook.ts';
import type { ChangeCause, ClientPosition } from './write-positions.ts';

/** The list shows yesterday's changes. Older ones are kept to explain a printed list. */
const RETENTION_MS = 35 * 86_400_000;

const UNKNOWN: PositionFigures = {
  isKnown: false,
  owed: ZERO,
  overdue: ZERO,
  refund: ZERO,
  overdueReturns: 0,
  overdueUpdates: 0,
  penalty: ZERO,
  penaltyPoints: null,
  nextDueOn: null,
  nextDueWhat: null,
};

/**
 * Call this before the positions are written. If only the day has changed, every late client's penalties grow slightly, so only items that
 * become overdue or due are recorded.
 */
export async function recordPositionChanges(
  tx: Tx,
  { companyId, now, cause }: { readonly companyId: string; readonly now: Instant; readonly cause: ChangeCause },
  list: readonly ClientPosition[],
): Promise<void> {
  const rows = await tx
    .select({
      clientId: taxPositions.clientId,
      tax: taxPositions.tax,
      asOf: taxPositions.asOf,
      owed: taxPositions.owedPence,
      overdue: taxPositions.overduePence,
      refund: taxPositions.refundPence,
      overdueReturns: taxPositions.overdueReturns,
      overdueUpdates: taxPositions.overdueUpdates,
      penalty: taxPositions.penaltyPence,
      penaltyPoints: taxPositions.penaltyPoints,
      nextDueOn: taxPositions.nextDueOn,
      nextDueWhat: taxPositions.nextDueWhat,
    })
    .from(taxPositions)
    .where(
      and(
        eq(taxPositions.companyId, companyId),
        inArray(
          taxPositions.clientId,
          list.map(({ clientId }) => clientId),
        ),
      ),
    );
  const knownFigures = new Map(
    rows.map(({ clientId, tax, asOf, ...figures }) => [`${clientId} ${tax}`, { ...figures, isKnown: asOf !== null }]),
  );
  const changes = list.flatMap(({ clientId, tax, position }) => {
    if (!position) return [];
    const previousFigures: PositionFigures = knownFigures.get(`${clientId} ${tax}`) ?? UNKNOWN;
    const figures = toFigures(position);
    const after = cause === 'day' ? { ...figures, penalty: previousFigures.penalty } : figures;
    return hasPositionChanged(previousFigures, after) ? [{ companyId, clientId, tax, changedAt: now, before: previousFigures, after }] : [];
  });
  // Two reads within the same millisecond count as one.
  if (changes.length === 0) return;
  await tx.insert(positionChanges).values(changes).onConflictDoNothing();
  const data = changes.map(({ clientId, tax }) => ({ client_id: clientId, tax }));
  await recordWebhooks(tx, { companyId, at: now, event: 'client.figures_changed', data });
}

function toFigures(position: Position): PositionFigures {
  const { nextDue } = position;
  return {
    isKnown: position.asOf !== null,
    owed: position.owed,
    overdue: position.overdue,
    refund: position.refund,
    overdueReturns: position.overdueReturns,
    overdueUpdates: position.overdueUpdates,
    penalty: position.penalty,
    penaltyPoints: position.points,
    nextDueOn: nextDue?.due_on ?? null,
    nextDueWhat: nextDue && getNextDueKind(nextDue.kind),
  };
}

export async function purgePositionChanges({ database: { db }, clock }: AppDeps): Promise<void> {
  await db.delete(positionChanges).where(lt(positionChanges.changedAt, addMilliseconds(clock.now(), -RETENTION_MS)));
}
