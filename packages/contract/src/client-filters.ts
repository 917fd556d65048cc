/**
 * The filters of a practice's client list, which other screens link to and use in actions. Kept apart from the list's contract, which is
 * larger.
 */
import { AUTHORISATION_FILTERS } from '@portal/domain/authorisations/describe-authorisation.ts';
import { CLIENT_KINDS } from '@portal/domain/client-imports/imported-client.ts';
import { CLIENT_STATUSES, UNASSIGNED } from '@portal/domain/clients/client.ts';
import { INVITATION_STATES } from '@portal/domain/clients/invitation-state.ts';
import { MAX_TAG_LENGTH } from '@portal/domain/clients/tags.ts';
import { CLIENT_ATTENTION_KINDS } from '@portal/domain/positions/summarise-client.ts';
import { z } from 'zod/mini';
import { actionFilter, REFRESH_FILTERS, REQUEST_PLANS } from './client-filter-values.ts';
import { taxScalar } from './practice.ts';
import { dateScalar, idScalar } from './scalars.ts';

/** Why a client needs attention, most urgent first. */
export const clientAttention = z.enum(CLIENT_ATTENTION_KINDS);

/** The client's legal form. */
export const clientKind = z.enum(CLIENT_KINDS);

/**
 * Filters by the client's figures, for `tax` if given, otherwise for any tax. `overdue_any`: an overdue payment, return or quarterly
 * update.
 */
export const CLIENT_HOLDINGS = ['owed', 'overdue', 'overdue_return', 'overdue_update', 'overdue_any', 'refund', 'at_risk'] as const;

/** Filters by which figures are known. `incomplete`: at least one of the taxes has never been read (`unread` or `partial`). */
const FIGURES_FILTERS = ['unread', 'partial', 'incomplete', 'stale', 'current'] as const;

export const LETTER_FILTERS = ['none', 'unsigned', 'signed'] as const;

export const INVITATION_FILTERS = ['none', ...INVITATION_STATES] as const;

/** Filters of the list. The count, the export and page URLs use the same names. */
export const clientFilters = z.object({
  /** Words in the name, or part of a reference, postcode, email address, phone number or client code (domain/clients/search-text.ts). */
  q: z.optional(z.string().check(z.trim(), z.maxLength(100, 'Use at most 100 characters in your search'))),
  /** `in_hand`: neither inactive nor closed, the same clients that the totals include. */
  status: z.optional(z.enum([...CLIENT_STATUSES, 'in_hand'])),
  tax: z.optional(taxScalar),
  attention: z.optional(clientAttention),
  /** Clients assigned to this member of the practice, or clients without an assigned member (`none`). */
  member: z.optional(z.union([z.literal(UNASSIGNED), idScalar])),
  kind: z.optional(clientKind),
  /**
   * A return, quarterly update or payment (of `tax`, if given) is due between today and this day, inclusive, regardless of anything overdue
   * or due earlier.
   */
  due_before: z.optional(dateScalar),
  has: z.optional(z.enum(CLIENT_HOLDINGS)),
  /**
   * A payment to HMRC falls in the month of this day, or in the current month is overdue. The dashboard's twelve months count in the same
   * way. Unknown amounts make both sums "at least".
   */
  pay_in: z.optional(dateScalar),
  /** Like `pay_in`, for a refund from HMRC whose amount is known. */
  refund_in: z.optional(dateScalar),
  /** One of the practice's own tags, spelt exactly. */
  tag: z.optional(z.string().check(z.maxLength(MAX_TAG_LENGTH))),
  /** The state of the letter of engagement. `none`: not sent. */
  letter: z.optional(z.enum(LETTER_FILTERS)),
  /**
   * The state of the newest invitation to the client portal. `accepted`: someone has joined since. `none`: no one has been invited or has
   * access.
   */
  invitation: z.optional(z.enum(INVITATION_FILTERS)),
  /** Clients in this group. */
  group: z.optional(idScalar),
  /**
   * HMRC's authorisation for `tax`, if given, otherwise for VAT or Self Assessment. Clients without the tax never match. `missing`: not
   * authorised, and no open request (`not_started`, `expired` or `revoked`). `not_checked`: not yet checked with HMRC. `pending`: an open
   * request. `expiring`: an open request that ends within 7 days.
   */
  authorisation: z.optional(z.enum(AUTHORISATION_FILTERS)),
  /**
   * `failed`: clients whose last refresh (of `tax`, if given) failed permanently, for a reason other than a missing authorisation.
   * `waiting`: it failed and will be retried automatically. `run` and the values after it: clients of the latest refresh (of `tax`, if
   * given), either all of them or those that were updated, failed, haven't authorised the practice, or are still queued. `without_nino`:
   * clients with Self Assessment but without the National Insurance number that HMRC needs.
   */
  refresh: z.optional(z.enum(REFRESH_FILTERS)),
  /** Why the last refresh failed or is waiting, as a code from sync-data. */
  refresh_reason: z.optional(z.string().check(z.maxLength(60))),
  /** The clients affected by one action, as `KIND:ID` (`ACTION_KINDS`). */
  action: z.optional(actionFilter),
  /** Whether an authorisation request for a tax would be created now (`vat:ready`), or why not (`sa:no_fact`). */
  request_plan: z.optional(z.enum(REQUEST_PLANS)),
  /** Filters by how complete the client's amounts are (of `tax`, if given). */
  figures: z.optional(z.enum(FIGURES_FILTERS)),
});
export type ClientFilters = z.output<typeof clientFilters>;

/**
 * All clients that match a filter, with the count that the user saw. If the count has changed, no action is taken (409
 * `clients.count_changed`).
 */
export const matchingClients = z.object({ filters: clientFilters, count: z.int().check(z.minimum(1, 'Choose a client')) });
