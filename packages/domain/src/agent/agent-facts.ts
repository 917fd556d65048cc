/** The facts about one client and the practice that the agent's rules read. The server reads them for many clients in one statement. */
import type { Authorisation } from '../authorisations/describe-authorisation.ts';
import type { ClientKind } from '../client-imports/imported-client.ts';
import type { ClientStatus, Duty } from '../clients/client.ts';
import type { Pence, WholePounds } from '../money.ts';
import type { PlainDate } from '../plain-date.ts';
import type { DueKind, ItemKind } from '../positions/position.ts';
import type { FigureSource } from '../positions/tax-facts.ts';
import type { Tax } from '../uk-tax/tax.ts';
import type { ApprovalState } from '../vat-returns/return-approval.ts';

/** A return that HMRC has received. `charged_pence` is its VAT or tax, negative for a repayment; null if unknown. */
export type FiledReturn = {
  readonly end: PlainDate;
  readonly due_on: PlainDate | null;
  readonly received_on: PlainDate | null;
  readonly charged_pence: Pence | null;
};

/** The figures of one tax, as stored in its position. Amounts count only if `is_read`. */
export type AgentTax = {
  readonly tax: Tax;
  readonly is_read: boolean;
  readonly source: FigureSource;
  /** The day on which the oldest figure was read. */
  readonly as_of: PlainDate | null;
  /** The first day on which the figures count as stale. */
  readonly stale_on: PlainDate | null;
  readonly refresh_failed: boolean;
  readonly is_insolvent: boolean;
  readonly is_refund_held: boolean;
  readonly overdue_pence: Pence;
  readonly overdue_since: PlainDate | null;
  readonly refund_pence: Pence;
  readonly owed_pence: Pence;
  readonly overdue_returns: number;
  readonly points: number | null;
  readonly points_threshold: number | null;
  readonly interest_pence: Pence;
  readonly is_estimate: boolean;
  /** Oldest first. */
  readonly returns: readonly FiledReturn[];
};

/** An upcoming or overdue return, payment or refund. Negative amounts are owed by HMRC. */
export type AgentItem = {
  readonly tax: Tax;
  readonly key: string;
  readonly what: DueKind;
  readonly kind: ItemKind;
  readonly due_on: PlainDate;
  readonly amount_pence: Pence | null;
  readonly period_end: PlainDate | null;
  readonly source: FigureSource;
};

export type AgentMember = { readonly user_id: string; readonly name: string; readonly duty: Duty };

export type AgentTask = {
  readonly item_id: string;
  readonly title: string;
  /** Null if it has no due date. */
  readonly due_on: PlainDate | null;
  readonly owner_id: string | null;
};

/** A VAT return that the practice prepared here, with the figures sent to the client for approval. */
export type PreparedReturn = {
  readonly approval_id: string;
  readonly obligation_id: string;
  readonly start: PlainDate;
  readonly end: PlainDate;
  readonly due_on: PlainDate;
  readonly state: ApprovalState;
  readonly sent_on: PlainDate;
  /** When the client approved, in the portal or outside it. */
  readonly approved_on: PlainDate | null;
  /** When HMRC accepted the return. */
  readonly filed_on: PlainDate | null;
  readonly box1_pence: Pence;
  readonly box4_pence: Pence;
  /** Box 5, negative for a repayment. */
  readonly net_pence: Pence;
  readonly box6_pounds: WholePounds;
  readonly box7_pounds: WholePounds;
  /** The page where the client's users approve it. */
  readonly url: string;
};

/** A VAT return from HMRC's records. `net_pence` is box 5, negative for a repayment. */
export type HmrcReturn = {
  readonly start: PlainDate;
  readonly end: PlainDate;
  readonly box1_pence: Pence;
  readonly box4_pence: Pence;
  readonly net_pence: Pence;
  readonly box6_pounds: WholePounds;
  readonly box7_pounds: WholePounds;
  readonly read_on: PlainDate;
};

/** Turnover of the 12 months to `end`, which is the last day of a month. */
export type StatedTurnover = {
  /** `books`: taxable sales in the client's books. `practice`: entered by a colleague. */
  readonly source: 'books' | 'practice';
  readonly end: PlainDate;
  readonly turnover_pence: Pence;
  /** When the books were read, or the figure was entered. */
  readonly known_on: PlainDate;
  /** Bad debt relief claimed in the 12 months, and whether the books are on a cash basis; null if unknown. */
  readonly bad_debt_pence: Pence | null;
  readonly is_cash_basis: boolean | null;
  /**
   * True if the sales were made while registered for VAT: the books have a VAT number, or the client was registered when the figure was
   * stored.
   */
  readonly was_registered: boolean;
};

/** `unknown`: the register shows neither a statement nor a date, which doesn't mean that the identity isn't verified. */
export const IDENTITY_STATES = ['verified', 'due', 'unknown'] as const;
export type IdentityState = (typeof IDENTITY_STATES)[number];

/** A current director, member or person with significant control, with the register's dates of their identity verification statement. */
export type RegisterPerson = {
  readonly name: string;
  /** In words, such as “director” or “person with significant control”. */
  readonly role: string;
  /** The first day on which the statement can be supplied, and the day by which it must be. */
  readonly opens_on: PlainDate | null;
  readonly due_on: PlainDate | null;
  readonly supplied_on: PlainDate | null;
  /** The day on which the statement was or will be removed; null or far in the future while it is in place. */
  readonly removed_on: PlainDate | null;
};

/** All the facts about a client that rules use. Lists are in a fixed order, so that equal facts give equal proposals. */
export type ClientFacts = {
  readonly client_id: string;
  readonly name: string;
  readonly kind: ClientKind;
  readonly status: ClientStatus;
  readonly taxes: readonly Tax[];
  /** True if the client has VAT among its taxes, a VAT number or a VAT registration date, or if it is in a VAT group, which is registered. */
  readonly is_vat_registered: boolean;
  /** True if it's the representative member of a VAT group: its returns are the group's, its books only its own. */
  readonly represents_vat_group: boolean;
  /** The taxes for which the client's HMRC reference is missing. */
  readonly missing_references: readonly Tax[];
  readonly has_email: boolean;
  readonly created_on: PlainDate;
  readonly tags: readonly string[];
  readonly year_end_on: PlainDate | null;
  /** The status at Companies House; null if we haven't looked it up. */
  readonly register_status: string | null;
  readonly members: readonly AgentMember[];
  readonly figures: readonly AgentTax[];
  readonly items: readonly AgentItem[];
  readonly authorisations: readonly {
    readonly tax: Tax;
    readonly status: Authorisation;
    readonly sent_on: PlainDate | null;
    readonly expires_on: PlainDate | null;
    readonly url: string | null;
    /** True if the portal has (or may have) emailed the link, and reminds the client automatically. */
    readonly is_emailed: boolean;
  }[];
  /** Invitations to the client portal that have been sent but neither accepted nor revoked. */
  readonly invitations: readonly {
    readonly id: string;
    readonly email: string;
    readonly sent_on: PlainDate;
    readonly expires_on: PlainDate | null;
    readonly bounced_on: PlainDate | null;
  }[];
  /** Messages to the client that failed in the last 30 days, excluding those delivered later. */
  readonly failed_messages: readonly { readonly message_id: string; readonly email: string; readonly failed_on: PlainDate }[];
  /** Open tasks. */
  readonly tasks: readonly AgentTask[];
  /** The names of the client's users, who have access to the client portal. */
  readonly people: readonly string[];
  /** The most recent VAT returns prepared here, oldest first, excluding withdrawn or changed versions. */
  readonly prepared: readonly PreparedReturn[];
  /** VAT returns read from HMRC under the client's current VAT number, oldest first. */
  readonly hmrc_returns: readonly HmrcReturn[];
  /**
   * The newest turnover for each source and end date, ordered by source, then end date. Old ones are only here if they may be above the
   * registration threshold.
   */
  readonly turnovers: readonly StatedTurnover[];
  /** The ends of VAT periods for which HMRC's figures, when last read, showed a late payment penalty; oldest first. */
  readonly late_vat_payments: readonly PlainDate[];
  /** The company's current officers and controllers at Companies House, and the day we read them; null if we never have. */
  readonly register_people: { readonly read_on: PlainDate; readonly people: readonly RegisterPerson[] } | null;
  /** Periods whose refund was proposed to the client's users as an early refund, however they responded. */
  readonly proposed_refunds: readonly { readonly start: PlainDate; readonly end: PlainDate; readonly proposed_on: PlainDate }[];
  /** The current letter of engagement; null if there isn't one. */
  readonly letter: {
    readonly id: string;
    readonly sent_on: PlainDate;
    readonly signed_on: PlainDate | null;
    /** The page where the client signs the letter. */
    readonly url: string;
  } | null;
  /** Requests with items that the client hasn't answered yet. */
  readonly requests: readonly {
    readonly id: string;
    readonly title: string;
    readonly sent_on: PlainDate;
    readonly due_on: PlainDate;
    readonly missing: number;
  }[];
  /** The newest balance for each tax from the client's own books; positive if the client owes HMRC. */
  readonly books: readonly { readonly tax: Tax; readonly balance_pence: Pence; readonly on_date: PlainDate }[];
};

/** A colleague's workload: clients, and the items due for them in the next 30 days. */
export type Colleague = {
  readonly user_id: string;
  readonly name: string;
  readonly clients: number;
  readonly due_30: number;
};

/** Facts about the practice that rules use. Colleagues are ordered by id. */
export type PracticeFacts = { readonly colleagues: readonly Colleague[] };
