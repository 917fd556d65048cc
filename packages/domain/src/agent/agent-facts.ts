/** The facts that the agent's rules read: of one client, and of the practice. The server reads them in one statement for many clients. */
import type { Authorisation } from '../authorisations/describe-authorisation.ts';
import type { ClientKind } from '../client-imports/imported-client.ts';
import type { ClientStatus, Duty } from '../clients/client.ts';
import type { Pence } from '../money.ts';
import type { PlainDate } from '../plain-date.ts';
import type { DueKind, ItemKind } from '../positions/position.ts';
import type { FigureSource } from '../positions/tax-facts.ts';
import type { Tax } from '../uk-tax/tax.ts';

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
  /** The first day on which the figures count as old. */
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

/** A return, payment or refund still to come, or overdue. Negative amounts come from HMRC. */
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
  /** Null without a due date. */
  readonly due_on: PlainDate | null;
  readonly owner_id: string | null;
};

/** Everything the rules know about one client. Lists are in a fixed order, so that equal facts give equal proposals. */
export type ClientFacts = {
  readonly client_id: string;
  readonly name: string;
  readonly kind: ClientKind;
  readonly status: ClientStatus;
  readonly taxes: readonly Tax[];
  /** The taxes without the reference by which HMRC knows the client. */
  readonly missing_references: readonly Tax[];
  readonly has_email: boolean;
  readonly created_on: PlainDate;
  readonly tags: readonly string[];
  readonly year_end_on: PlainDate | null;
  /** As Companies House names it; null if it wasn't looked up. */
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
    /** The portal emailed the link, or may have, and reminds of it by itself. */
    readonly is_emailed: boolean;
  }[];
  /** Invitations to the clients' portal that were sent and neither accepted nor revoked. */
  readonly invitations: readonly {
    readonly id: string;
    readonly email: string;
    readonly sent_on: PlainDate;
    readonly expires_on: PlainDate | null;
    readonly bounced_on: PlainDate | null;
  }[];
  /** Messages to the client that failed in the last 30 days, without those that reached it later. */
  readonly failed_messages: readonly { readonly message_id: string; readonly email: string; readonly failed_on: PlainDate }[];
  /** Open tasks. */
  readonly tasks: readonly AgentTask[];
  /** The newest balance of each tax in the client's own books; positive if the client owes HMRC. */
  readonly books: readonly { readonly tax: Tax; readonly balance_pence: Pence; readonly on_date: PlainDate }[];
};

/** A colleague with the work that waits: clients, and what they have to do in the next 30 days. */
export type Colleague = {
  readonly user_id: string;
  readonly name: string;
  readonly clients: number;
  readonly due_30: number;
};

/** What the rules know about the practice. Colleagues are in order of their ids. */
export type PracticeFacts = { readonly colleagues: readonly Colleague[] };
