/**
 * Authorisation to act for clients at HMRC: requests it with a link for the client, checks it and ends it. HMRC offers this API only for
 * VAT and income tax, not for PAYE and corporation tax.
 */
import type { Instant } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { HmrcCall } from '../hmrc/hmrc-types.ts';

export type AgentService = 'vat' | 'income_tax';
/** For income tax, a client may have supporting agents in addition to the main agent. */
export type AgentType = 'main' | 'supporting';

/** The client with the known fact that HMRC requires: the VAT registration date or the postcode. */
export type ClientIdentity =
  | { readonly service: 'vat'; readonly vrn: string; readonly registeredOn: PlainDate; readonly isPerson?: boolean }
  | { readonly service: 'income_tax'; readonly nino: string; readonly postcode: string; readonly agentType?: AgentType };

/** The client alone, for calls that don't need a known fact. */
export type ClientReference =
  | { readonly service: 'vat'; readonly vrn: string; readonly isPerson?: boolean }
  | { readonly service: 'income_tax'; readonly nino: string; readonly agentType?: AgentType };

/** Why HMRC rejects the request; `code` in the outcome is HMRC's own error code. */
export type RefusalReason =
  | 'client_unknown'
  | 'postcode_differs'
  | 'registration_date_differs'
  | 'client_insolvent'
  | 'being_processed'
  | 'reference_malformed'
  | 'postcode_malformed'
  | 'registration_date_malformed';
type RefusedOutcome = { readonly outcome: 'refused'; readonly reason: RefusalReason; readonly code: string };

export type InvitationOutcome =
  | { readonly outcome: 'sent'; readonly invitationId: string }
  /** A request is already open. `invitationId` is present if HMRC returned it. */
  | { readonly outcome: 'already_pending'; readonly invitationId?: string }
  | { readonly outcome: 'already_authorised' }
  | RefusedOutcome;

export type RelationshipOutcome = { readonly outcome: 'active' } | { readonly outcome: 'none' } | RefusedOutcome;

export type InvitationStatus = 'pending' | 'accepted' | 'rejected' | 'expired' | 'cancelled' | 'deauthorised' | 'partial_authority';

/** An authorisation request as HMRC returns it. It doesn't identify the client, so store its ID with the client when you send it. */
export type Invitation = {
  readonly invitationId: string;
  readonly arn: string;
  readonly service: AgentService;
  readonly status: InvitationStatus;
  readonly createdAt: Instant;
  /** When the client responded to the request, or when it ended. */
  readonly updatedAt?: Instant;
  /** Set for pending requests: the day from which the request counts as expired, and the client's link. */
  readonly expiresOn?: PlainDate;
  readonly clientActionUrl?: string;
  readonly agentType?: AgentType;
};

/** Whether an access token belongs to the agency. Checked when a practice connects. */
export type AgencyCheck = 'own' | 'not_an_agent' | 'not_subscribed' | 'other_agency';

export type AgentAuthorisationClient = {
  checkAgency(call: HmrcCall, arn: string): Promise<AgencyCheck>;
  /** A lost response fails as `unknown`. Resending is safe: HMRC then returns `already_pending`. */
  sendInvitation(call: HmrcCall, arn: string, client: ClientIdentity): Promise<InvitationOutcome>;
  /** Lists requests from the last 30 days, newest first. */
  listInvitations(call: HmrcCall, arn: string): Promise<Invitation[]>;
  findInvitation(call: HmrcCall, arn: string, invitationId: string): Promise<Invitation | undefined>;
  /** `closed`: already accepted, declined, expired or cancelled. */
  cancelInvitation(call: HmrcCall, arn: string, invitationId: string): Promise<'cancelled' | 'closed' | 'unknown'>;
  checkRelationship(call: HmrcCall, arn: string, client: ClientIdentity): Promise<RelationshipOutcome>;
  deauthorise(call: HmrcCall, arn: string, client: ClientReference): Promise<'ended' | 'none'>;
};
