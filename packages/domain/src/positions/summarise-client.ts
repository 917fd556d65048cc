/** Summarises a client across all its taxes, for lists. */
import { getStaleDay, listUnreadTaxes } from './figures-state.ts';
import type { NextDueKind } from './position.ts';
import type { FigureSource } from './tax-facts.ts';
import { pence, sumPence, type Pence } from '../money.ts';
import { addDays, type PlainDate } from '../plain-date.ts';
import type { Instant } from '../clock.ts';
import { TAXES, type Tax } from '../uk-tax/tax.ts';
import { SOON_DAYS } from './item-status.ts';

/** Why a client needs attention, most urgent first. */
export const CLIENT_ATTENTION_KINDS = [
  'overdue_payment',
  'overdue_return',
  'overdue_update',
  'sync_failed',
  'not_authorised',
  'authorisation_pending',
  'due_soon',
  'no_data',
  'none',
] as const;
export type ClientAttention = (typeof CLIENT_ATTENTION_KINDS)[number];

/** One of a client's taxes as stored: its position, whether the last sync failed, and whether HMRC authorises the practice for it. */
export type ClientTaxStatus = {
  readonly tax: Tax;
  readonly owed: Pence;
  readonly overdue: Pence;
  readonly refund: Pence;
  readonly overdueReturns: number;
  readonly overdueUpdates: number;
  readonly nextDueOn: PlainDate | null;
  readonly nextDueWhat: NextDueKind | null;
  readonly nextDuePence: Pence | null;
  readonly source: FigureSource;
  /** When its amounts were read; null if never. */
  readonly asOf: Instant | null;
  readonly hasReadingFailed: boolean;
  readonly isUnauthorised: boolean;
  /** True if the last refresh failed only because the client hasn't authorised the practice, so retrying won't help. */
  readonly isReadingRefused: boolean;
  /** True if there is a request that the client hasn't responded to yet. */
  readonly isRequestPending: boolean;
};

/** The columns of the client list. `nextDueOn` is 9999-12-31 if nothing is due. */
export type ClientSummary = {
  readonly nextDueOn: PlainDate;
  readonly nextDueTax: Tax | null;
  readonly nextDueWhat: NextDueKind | null;
  readonly nextDuePence: Pence | null;
  readonly owed: Pence;
  readonly overdue: Pence;
  readonly refund: Pence;
  readonly attention: ClientAttention;
  readonly asOf: Instant | null;
  /** The taxes that have been read. The amounts cover only these. */
  readonly readTaxes: readonly Tax[];
  readonly staleOn: PlainDate | null;
  readonly hasFailed: boolean;
};

/** Sorts clients without a due date last. */
export const NEVER_DUE = '9999-12-31' as PlainDate;

/**
 * Sums the figures of the taxes, with the earliest due date and the most urgent need. A failed sync ranks below a known debt and above an
 * upcoming date. `clientTaxes` are all of the client's taxes, with or without figures. The VAT of a member of a VAT group counts at its
 * representative member, so a member without other taxes isn't waiting for figures.
 */
export function summariseClient(
  clientTaxes: readonly Tax[],
  taxes: readonly ClientTaxStatus[],
  today: PlainDate,
  { isGroupMember = false }: { readonly isGroupMember?: boolean } = {},
): ClientSummary {
  const next = taxes.reduce<ClientTaxStatus | undefined>((first, tax) => {
    if (tax.nextDueOn === null) return first;
    const isEarlier = first === undefined || first.nextDueOn === null || tax.nextDueOn < first.nextDueOn;
    return isEarlier ? tax : first;
  }, undefined);
  const asOf = taxes.reduce<Instant | null>((oldest, tax) => {
    if (tax.asOf === null) return oldest;
    return oldest === null || tax.asOf < oldest ? tax.asOf : oldest;
  }, null);
  // The order is fixed, so that a rebuild writes the same row.
  const readTaxes = TAXES.filter((tax) => taxes.some((status) => status.tax === tax && status.asOf !== null));
  const isKnown = clientTaxes.length === 0 ? isGroupMember : listUnreadTaxes(clientTaxes, readTaxes).length === 0;
  const staleDays = taxes.map(getStaleDay).filter((day) => day !== null);
  return {
    nextDueOn: next?.nextDueOn ?? NEVER_DUE,
    nextDueTax: next?.tax ?? null,
    nextDueWhat: next?.nextDueWhat ?? null,
    nextDuePence: next?.nextDuePence ?? null,
    owed: sumPence(taxes.map(({ owed }) => owed)),
    overdue: sumPence(taxes.map(({ overdue }) => overdue)),
    refund: pence(taxes.reduce((sum, { refund }) => sum + refund, 0)),
    attention: getAttention(taxes, { nextDueOn: next?.nextDueOn ?? NEVER_DUE, isComplete: isKnown }, today),
    asOf,
    readTaxes,
    staleOn: staleDays.toSorted().at(0) ?? null,
    hasFailed: taxes.some(({ hasReadingFailed }) => hasReadingFailed),
  };
}

type NextDueFacts = { readonly nextDueOn: PlainDate; readonly isComplete: boolean };

/** "None" refers to all of the client's taxes, so it needs figures for each of them. */
function getAttention(
  taxes: readonly ClientTaxStatus[],
  { nextDueOn, isComplete: isKnown }: NextDueFacts,
  today: PlainDate,
): ClientAttention {
  if (taxes.some(({ overdue }) => overdue > 0)) return 'overdue_payment';
  if (taxes.some(({ overdueReturns }) => overdueReturns > 0)) return 'overdue_return';
  if (taxes.some(({ overdueUpdates }) => overdueUpdates > 0)) return 'overdue_update';
  if (taxes.some((tax) => tax.hasReadingFailed && !tax.isReadingRefused && !tax.isUnauthorised)) return 'sync_failed';
  if (taxes.some(({ isUnauthorised }) => isUnauthorised)) return 'not_authorised';
  if (taxes.some(({ isRequestPending }) => isRequestPending)) return 'authorisation_pending';
  if (nextDueOn <= addDays(today, SOON_DAYS)) return 'due_soon';
  return isKnown ? 'none' : 'no_data';
}
