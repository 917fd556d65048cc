/** Describes how new data from a source changed a client's position. */
import { getItemName } from './item-names.ts';
import type { NextDueKind } from './position.ts';
import { formatPounds, type Pence } from '../money.ts';
import { formatDate, type PlainDate } from '../plain-date.ts';

/** The figures compared to describe a change. `isKnown` is false until the tax has been read. */
export type PositionFigures = {
  readonly isKnown: boolean;
  readonly owed: Pence;
  readonly overdue: Pence;
  readonly refund: Pence;
  readonly overdueReturns: number;
  /** Missing from changes recorded before updates were counted separately. */
  readonly overdueUpdates?: number;
  readonly penalty: Pence;
  readonly penaltyPoints: number | null;
  readonly nextDueOn: PlainDate | null;
  readonly nextDueWhat: NextDueKind | null;
};

/** Kinds of change, most important first. */
export const POSITION_CHANGE_KINDS = ['first_figures', 'overdue', 'owed', 'refund', 'returns', 'penalty', 'next_due'] as const;
export type PositionChangeKind = (typeof POSITION_CHANGE_KINDS)[number];
export type PositionChange = { readonly kind: PositionChangeKind; readonly text: string };

/** Describes the differences for a practice. Empty unless a relevant figure has changed. */
export function describePositionChange(before: PositionFigures, after: PositionFigures): readonly PositionChange[] {
  if (!after.isKnown) return [];
  if (!before.isKnown) return [{ kind: 'first_figures', text: `First figures: ${describeFigures(after)}` }];
  const changes: (PositionChange | undefined)[] = [
    describeAmount('overdue', 'Overdue', before.overdue, after.overdue),
    describeAmount('owed', 'Owed', before.owed, after.owed),
    describeAmount('refund', 'Refund due', before.refund, after.refund),
    before.overdueReturns === after.overdueReturns
      ? undefined
      : { kind: 'returns', text: `Overdue returns: ${after.overdueReturns} (was ${before.overdueReturns})` },
    describeUpdates(before.overdueUpdates ?? 0, after.overdueUpdates ?? 0),
    describeAmount('penalty', 'Penalties', before.penalty, after.penalty),
    before.penaltyPoints === after.penaltyPoints || after.penaltyPoints === null
      ? undefined
      : { kind: 'penalty', text: `Penalty points: ${after.penaltyPoints} (was ${before.penaltyPoints ?? 'unknown'})` },
    before.nextDueOn === after.nextDueOn || after.nextDueOn === null
      ? undefined
      : {
          kind: 'next_due',
          text: `Next ${after.nextDueWhat === null ? 'deadline' : getItemName(after.nextDueWhat)}: ${formatDate(after.nextDueOn)}`,
        },
  ];
  return changes.filter((change) => change !== undefined);
}

/**
 * Returns true if any figure differs, including those not described, such as a deadline that no longer exists. All such changes are stored,
 * so that the latest stored change always ends with the current figures.
 */
export function hasPositionChanged(before: PositionFigures, after: PositionFigures): boolean {
  if (!before.isKnown && !after.isKnown) return false;
  const names = Object.keys(after) as (keyof PositionFigures)[];
  return names.some((name) => (before[name] ?? null) !== (after[name] ?? null));
}

function describeAmount(kind: PositionChangeKind, name: string, before: Pence, after: Pence): PositionChange | undefined {
  return before === after ? undefined : { kind, text: `${name}: ${formatPounds(after)} (was ${formatPounds(before)})` };
}

function describeUpdates(before: number, after: number): PositionChange | undefined {
  return before === after ? undefined : { kind: 'returns', text: `Overdue quarterly updates: ${after} (was ${before})` };
}

function describeFigures({ owed, overdue, refund }: PositionFigures): string {
  const parts = [
    overdue > 0 ? `${formatPounds(overdue)} overdue` : '',
    owed > overdue ? `${formatPounds(owed)} owed` : '',
    refund > 0 ? `${formatPounds(refund)} refund due` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'nothing owed' : parts.join(', ');
}
