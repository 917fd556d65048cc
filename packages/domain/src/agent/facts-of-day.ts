/** Reconstructs a client's facts on an earlier day, as far as they were recorded, for a dry run. */
import type { PlainDate } from '../plain-date.ts';
import type { PositionFigures } from '../positions/describe-position-change.ts';
import type { Tax } from '../uk-tax/tax.ts';
import type { AgentTax, ClientFacts, PreparedReturn } from './agent-facts.ts';

/** The figures of a tax before a change on a day. */
export type PastFigures = { readonly tax: Tax; readonly changed_on: PlainDate; readonly before: PositionFigures };

/** Returns undefined if it wasn't a client yet. `changes` are earliest first. */
export function toFactsOf(client: ClientFacts, day: PlainDate, changes: readonly PastFigures[]): ClientFacts | undefined {
  if (client.created_on > day) return undefined;
  return {
    ...client,
    figures: client.figures.map((figures) => {
      const next = changes.find(({ tax, changed_on: on }) => tax === figures.tax && on > day);
      return next ? toPast(figures, next.before) : toKnown(figures, day);
    }),
    authorisations: client.authorisations.filter(({ sent_on: sent }) => sent === null || sent <= day),
    invitations: client.invitations
      .filter(({ sent_on: sent }) => sent <= day)
      .map((one) => (one.bounced_on !== null && one.bounced_on > day ? { ...one, bounced_on: null } : one)),
    failed_messages: client.failed_messages.filter(({ failed_on: on }) => on <= day),
    prepared: client.prepared.filter(({ sent_on: sent }) => sent <= day).map((one) => toPastReturn(one, day)),
    proposed_refunds: client.proposed_refunds.filter(({ proposed_on: on }) => on <= day),
    letter: client.letter && client.letter.sent_on <= day ? { ...client.letter, signed_on: until(client.letter.signed_on, day) } : null,
    requests: client.requests.filter(({ sent_on: sent }) => sent <= day),
    books: client.books.filter(({ on_date: on }) => on <= day),
    // Earlier returns were at HMRC before they were read here, and count from the day they were read.
    hmrc_returns: client.hmrc_returns.filter(({ read_on: on }) => on <= day),
    turnovers: client.turnovers.filter(({ known_on: on }) => on <= day),
    register_people: client.register_people !== null && client.register_people.read_on <= day ? client.register_people : null,
  };
}

/** Returns the date if it was on or before the day, otherwise null. */
const until = (date: PlainDate | null, day: PlainDate): PlainDate | null => (date !== null && date > day ? null : date);

const toPastReturn = (one: PreparedReturn, day: PlainDate): PreparedReturn => ({
  ...one,
  state: one.approved_on !== null && one.approved_on > day ? 'sent' : one.state,
  approved_on: until(one.approved_on, day),
  filed_on: until(one.filed_on, day),
});

/** Removes returns received later, which weren't known yet. */
const toKnown = (figures: AgentTax, day: PlainDate): AgentTax => ({
  ...figures,
  overdue_since: figures.overdue_since !== null && figures.overdue_since > day ? null : figures.overdue_since,
  returns: figures.returns.filter(({ received_on: on }) => on === null || on <= day),
});

/** Interest to date wasn't recorded for earlier days, so rules don't use it in proposals. */
function toPast(figures: AgentTax, before: PositionFigures): AgentTax {
  return {
    ...figures,
    is_read: before.isKnown,
    owed_pence: before.owed,
    overdue_pence: before.overdue,
    overdue_since: before.overdue > 0 ? figures.overdue_since : null,
    refund_pence: before.refund,
    overdue_returns: before.overdueReturns,
    points: before.penaltyPoints,
    interest_pence: 0 as AgentTax['interest_pence'],
    stale_on: null,
    refresh_failed: false,
    returns: figures.returns.filter(({ received_on: on }) => on !== null && figures.as_of !== null && on < figures.as_of),
  };
}
