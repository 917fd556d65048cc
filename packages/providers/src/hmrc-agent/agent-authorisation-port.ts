/** Authority to act for clients at HMRC: asked for by a link that the client answers, checked, ended. VAT and income tax only; HMRC has no such service for PAYE and CT. */
import type { Instant } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { HmrcCall } from '../hmrc/hmrc-terms.ts';

export type AgentService = 'vat' | 'income_tax';
/** For income tax, a supporting agent keeps records beside the main one. */
export type AgentType = 'main' | 'supporting';

/** The client, and the fact by which HMRC knows that the agent has spoken to them: the VAT registration date, or the postcode. */
export type ClientIdentity =
  | { readonly service: 'vat'; readonly vrn: string; readonly registeredOn: PlainDate; readonly isPerson?: boolean }
  | { readonly service: 'income_tax'; readonly nino: string; readonly postcode: string; readonly agentType?: AgentType };

/** The client alone, where HMRC asks for no fact. */
export type ClientReference =
  | { readonly service: 'vat'; readonly vrn: string; readonly isPerson?: boolean }
  | { readonly service: 'income_tax'; readonly nino: string; readonly agentType?: AgentType };

/** What HMRC holds against the request; `code` in the outcome is its own word. */
export type RefusalReason =
  | 'client_unknown'
  | 'postcode_differs'
  | 'registration_date_differs'
  | 'client_insolvent'
  | 'being_processed'
  | 'reference_malformed'
  | 'postcode_malformed'
  | 'registration_date_malformed';
type Refused = { readonly outcome: 'refused'; readonly reason: RefusalReason; readonly code: string };

export type InvitationOutcome =
  | { readonly outcome: 'sent'; readonly invitationId: string }
  /** A request is open already: its number, where HMRC told it. */
  | { readonly outcome: 'already_pending'; readonly invitationId?: string }
  | { readonly outcome: 'already_authorised' }
  | Refused;

export type RelationshipOutcome = { readonly outcome: 'active' } | { readonly outcome: 'none' } | Refused;

export type InvitationStatus = 'pending' | 'accepted' | 'rejected' | 'expired' | 'cancelled' | 'deauthorised' | 'partial_authority';

/** A request as HMRC shows it. It does not name the client: keep the number with the client when it is sent. */
export type Invitation = {
  readonly invitationId: string;
  readonly arn: string;
  readonly service: AgentService;
  readonly status: InvitationStatus;
  readonly createdAt: Instant;
  /** When it was answered or ended. */
  readonly updatedAt?: Instant;
  /** Of pending ones: the day from which it is expired, and where the client answers. */
  readonly expiresOn?: PlainDate;
  readonly clientActionUrl?: string;
  readonly agentType?: AgentType;
};

/** Whether a grant is that of the agency: what to check when a practice connects. */
export type AgencyCheck = 'own' | 'not_an_agent' | 'not_subscribed' | 'other_agency';

export type AgentAuthorisationClient = {
  checkAgency(call: HmrcCall, arn: string): Promise<AgencyCheck>;
  /** A lost answer fails as `unknown`: asking again is safe, HMRC answers `already_pending` then. */
  sendInvitation(call: HmrcCall, arn: string, client: ClientIdentity): Promise<InvitationOutcome>;
  /** Those of the last 30 days, newest first. */
  listInvitations(call: HmrcCall, arn: string): Promise<Invitation[]>;
  findInvitation(call: HmrcCall, arn: string, invitationId: string): Promise<Invitation | undefined>;
  /** `closed`: answered, expired or cancelled before. */
  cancelInvitation(call: HmrcCall, arn: string, invitationId: string): Promise<'cancelled' | 'closed' | 'unknown'>;
  checkRelationship(call: HmrcCall, arn: string, client: ClientIdentity): Promise<RelationshipOutcome>;
  deauthorise(call: HmrcCall, arn: string, client: ClientReference): Promise<'ended' | 'none'>;
};
