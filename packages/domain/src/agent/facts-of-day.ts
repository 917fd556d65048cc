/** Reconstructs a client's facts on an earlier day for a dry run, to the extent that they were recorded. */
import type { PlainDate } from '../plain-date.ts';
import type { PositionFigures } from '../positions/describe-position-change.ts';
import type { Tax } from '../uk-tax/tax.ts';
import type { AgentTax, ClientFacts, PreparedReturn } from './agent-facts.ts';

/** A tax's figures before a change on a given day. */
export type PastFigures = { readonly tax: Tax; readonly changed_on: PlainDate; readonly before: PositionFigures };

/** Returns undefined if it wasn't a client yet. `changes` are in date order. */
export function toFactsOnDay(client: ClientFacts, day: PlainDate, changes: readonly PastFigures[]): ClientFacts | undefined {
  if (client.created_on > day) return undefined;
  return {
    ...client,
    figures: client.figures.map((figures) => {
      const next = changes.find(({ tax, changed_on: on }) => tax === figures.tax && on > day);
      return next ? toPastFigures(figures, next.before) : toKnownFigures(figures, day);
    }),
    authorisations: client.authorisations.filter(({ sent_on: sentOn }) => sentOn === null || sentOn <= day),
    invitations: client.invitations
      .filter(({ sent_on: sentOn }) => sentOn <= day)
      .map((item) => (item.bounced_on !== null && item.bounced_on > day ? { ...item, bounced_on: null } : item)),
    failed_messages: client.failed_messages.filter(({ failed_on: on }) => on <= day),
    prepared: client.prepared.filter(({ sent_on: sentOn }) => sentOn <= day).map((item) => toPastReturn(item, day)),
    proposed_refunds: client.proposed_refunds.filter(({ proposed_on: on }) => on <= day),
    letter:
      client.letter && client.letter.sent_on <= day
        ? { ...client.letter, signed_on: hideUnlessReached(client.letter.signed_on, day) }
        : null,
    requests: client.requests.filter(({ sent_on: sentOn }) => sentOn <= day),
    books: client.books.filter(({ on_date: on }) => on <= day),
    // Earlier returns were already at HMRC before they were read here, but count only from the day they were read.
    hmrc_returns: client.hmrc_returns.filter(({ read_on: on }) => on <= day),
    turnovers: client.turnovers.filter(({ known_on: on }) => on <= day),
    register_people: client.register_people !== null && client.register_people.read_on <= day ? client.register_people : null,
  };
}

/** Returns the date if it is on or before the day, otherwise null. */
const hideUnlessReached = (date: PlainDate | null, day: PlainDate): PlainDate | null => (date !== null && date > day ? null : date);

const toPastReturn = (item: PreparedReturn, day: PlainDate): PreparedReturn => ({
  ...item,
  state: item.approved_on !== null && item.approved_on > day ? 'sent' : item.state,
  approved_on: hideUnlessReached(item.approved_on, day),
  filed_on: hideUnlessReached(item.filed_on, day),
});

/** Removes returns that were received later, so weren't yet known. */
const toKnownFigures = (figures: AgentTax, day: PlainDate): AgentTax => ({
  ...figures,
  overdue_since: figures.overdue_since !== null && figures.overdue_since > day ? null : figures.overdue_since,
  returns: figures.returns.filter(({ received_on: on }) => on === null || on <= day),
});

/** Interest to date wasn't recorded for earlier days, so rules don't use it in proposals. */
function toPastFigures(figures: AgentTax, previous: PositionFigures): AgentTax {
  return {
    ...figures,
    is_read: previous.isKnown,
    owed_pence: previous.owed,
    overdue_pence: previous.overdue,
    overdue_since: previous.overdue > 0 ? figures.overdue_since : null,
    refund_pence: previous.refund,
    overdue_returns: previous.overdueReturns,
    points: previous.penaltyPoints,
    interest_pence: 0 as AgentTax['interest_pence'],
    stale_on: null,
    refresh_failed: false,
    returns: figures.returns.filter(({ received_on: on }) => on !== null && figures.as_of !== null && on < figures.as_of),
  };
}
