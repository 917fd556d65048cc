/** Formats the output of `npm run positions`: a client's items and totals, from its taxes' positions. */
import { sumPence, type Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { calculatePosition } from '@portal/domain/positions/calculate-position.ts';
import { getOpenStatus, type OpenStatus } from '@portal/domain/positions/item-status.ts';
import { PAYMENT_KINDS } from '@portal/domain/positions/list-items.ts';
import { ITEM_KINDS, type ChargeView, type DueItem, type ItemKind, type Position } from '@portal/domain/positions/position.ts';
import type { FigureSource } from '@portal/domain/positions/tax-facts.ts';
import { TAXES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import type { PositionsInput } from './read-input.ts';

/** A refund is the amount that HMRC still has to pay, so it is also positive. `due_on` is null only if HMRC doesn't give a date. */
export type PrintedItem = {
  readonly tax: Tax;
  readonly kind: ItemKind;
  readonly period_start: PlainDate | null;
  readonly period_end: PlainDate | null;
  readonly due_on: PlainDate | null;
  readonly amount_pence: number | null;
  readonly status: OpenStatus | 'done';
  readonly source: FigureSource;
};

export type PrintedPositions = {
  readonly items: readonly PrintedItem[];
  /** Null if an amount for one of the client's taxes has never been read. */
  readonly totals: Readonly<Record<'owed_pence' | 'overdue_pence' | 'refund_pence', number | null>>;
  readonly unknown_taxes: readonly Tax[];
};

export function printPositions({ taxes, hasRegisterYearEnd }: PositionsInput, today: PlainDate): PrintedPositions {
  const positions = taxes.map(({ tax, facts }) => calculatePosition(tax, facts, today));
  const unknownTaxes = taxes.filter(({ facts }) => facts.charges === undefined).map(({ tax }) => tax);
  const sum = (get: (position: Position) => Pence) => (unknownTaxes.length > 0 ? null : sumPence(positions.map(get)));
  return {
    items: positions.flatMap((position) => toItems(position, hasRegisterYearEnd, today)).toSorted(compareItems),
    totals: {
      owed_pence: sum(({ owed }) => owed),
      overdue_pence: sum(({ overdue }) => overdue),
      refund_pence: sum(({ refund }) => refund),
    },
    unknown_taxes: unknownTaxes,
  };
}

function toItems(position: Position, hasRegisterYearEnd: boolean, today: PlainDate): readonly PrintedItem[] {
  const charges = new Map(position.detail.charges.map((charge) => [charge.key, charge]));
  const toPrintedItem = (item: DueItem, status: PrintedItem['status']): PrintedItem => ({
    tax: position.tax,
    kind: item.kind,
    period_start: item.period_start,
    period_end: item.period_end,
    due_on: item.due_on,
    amount_pence: item.amount_pence === null ? null : Math.abs(item.amount_pence),
    status,
    source: getSource(item, charges.get(item.key), position.tax === 'ct' && hasRegisterYearEnd),
  });
  return [
    ...position.items.map((item) => toPrintedItem(item, getOpenStatus(item, today))),
    ...position.done.map((item) => toPrintedItem(item, 'done')),
    ...position.detail.charges.filter(isUndated).map((charge) => toUndatedItem(position.tax, charge)),
  ];
}

/** Returns the source of the amount. A date alone comes from the rule, or from the register if it follows from the year end there. */
function getSource(item: DueItem, charge: ChargeView | undefined, isFromRegister: boolean): FigureSource {
  if (charge !== undefined) return charge.source;
  return item.source === 'rule' && isFromRegister ? 'companies_house' : item.source;
}

/** HMRC can charge an amount without a due date (docs/reference/hmrc.md section 3.7). It is owed immediately. */
function isUndated({ due_on: due, original_pence: original, outstanding_pence: outstanding, set_off_pence: setOff }: ChargeView): boolean {
  return due === null && original >= 0 && outstanding - setOff > 0;
}

function toUndatedItem(tax: Tax, charge: ChargeView): PrintedItem {
  return {
    tax,
    kind: charge.kind === 'credit' ? 'refund' : PAYMENT_KINDS[charge.kind],
    period_start: charge.period_start,
    period_end: charge.period_end,
    due_on: null,
    amount_pence: charge.outstanding_pence - charge.set_off_pence,
    status: 'due',
    source: charge.source,
  };
}

function compareItems(a: PrintedItem, b: PrintedItem): number {
  const [dayA, dayB] = [a.due_on ?? '', b.due_on ?? ''];
  if (dayA !== dayB) return dayA < dayB ? -1 : 1;
  return TAXES.indexOf(a.tax) - TAXES.indexOf(b.tax) || ITEM_KINDS.indexOf(a.kind) - ITEM_KINDS.indexOf(b.kind);
}
