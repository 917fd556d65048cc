/**
 * The effect of a move to another price list on a subscription, shown to operators beforehand, in the notice and in the billing settings.
 */
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { toLondonDate, toInstant, type Instant } from '@portal/domain/clock.ts';
import type { Pence } from '@portal/domain/money.ts';
import { calculatePricing, type Pricing } from '@portal/domain/pricing/calculate-pricing.ts';
import type { PriceList } from '@portal/domain/pricing/price-list.ts';
import { getRenewalDayFrom } from '@portal/domain/pricing/renewal.ts';
import { getDiscountAt, type SubscriptionRow } from './billing-records.ts';

export type Move = {
  /** The monthly price of the current connections including VAT, after any discount that applies at the time. */
  readonly fromTotalPence: Pence;
  readonly toTotalPence: Pence;
  readonly fromNetPence: Pence;
  readonly toNetPence: Pence;
  /** The first renewal on or after the first allowed day. */
  readonly movesOn: PlainDate;
};

type MoveTerms = { readonly toVersion: number; readonly movesFrom: PlainDate };

export function getMove(lists: readonly PriceList[], subscription: SubscriptionRow, { toVersion, movesFrom }: MoveTerms): Move {
  const { periodEnd, startedAt, createdAt } = subscription;
  const renewsOn = periodEnd === null ? undefined : toLondonDate(periodEnd);
  const movesOn = renewsOn !== undefined && renewsOn >= movesFrom ? renewsOn : getRenewalDayFrom(startedAt ?? createdAt, movesFrom);
  const calculatePrice = (version: number) =>
    calculatePriceAt(lists, subscription, { version, at: toInstant(Date.parse(`${movesOn}T12:00:00Z`)) });
  const [from, to] = [calculatePrice(subscription.priceListVersion), calculatePrice(toVersion)];
  return {
    fromTotalPence: from.totalPence,
    toTotalPence: to.totalPence,
    fromNetPence: from.netPence,
    toNetPence: to.netPence,
    movesOn,
  };
}

type PricedAt = { readonly version: number; readonly at: Instant };

function calculatePriceAt(lists: readonly PriceList[], subscription: SubscriptionRow, { version, at }: PricedAt): Pricing {
  const { connections, subscribedOn } = subscription;
  return calculatePricing({
    list: getList(lists, version),
    connections,
    discount: getDiscountAt(subscription, at),
    today: subscribedOn,
    subscribedOn,
    change: null,
  });
}

export function getList(lists: readonly PriceList[], version: number): PriceList {
  const list = lists.find((list) => list.version === version);
  if (!list) throw new Error(`price list ${version} is missing`);
  return list;
}
