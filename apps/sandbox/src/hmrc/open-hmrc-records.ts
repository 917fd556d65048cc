/** Opens the collections of the HMRC simulator. */
import type { SimulatorStore } from '../simulator/simulator-store.ts';
import { openHmrcUnderlay } from '../portfolio/hmrc-underlay.ts';
import { createOverlay, type Underlay } from '../simulator/overlay.ts';
import type { VatPenaltiesWire } from '@portal/providers/hmrc-agent/vat-penalties-wire.ts';
import type { IncomeTaxRecord, InvitationRecord, RelationshipRecord } from '../hmrc-agent/agent-records.ts';
import type {
  AccessTokenRecord,
  CallRecord,
  ChargeRecord,
  CodeRecord,
  GrantRecord,
  ObligationRecord,
  PaymentRecord,
  RepaymentRecord,
  ReturnRecord,
  SubmissionRecord,
  TraderRecord,
  UserRecord,
} from './hmrc-records.ts';

/**
 * All collections of the simulator. Each trader has separate collections, so that reads are limited to that trader's records. A loaded
 * portfolio's clients form a layer beneath the stored records: they can be found by key, but are listed only in single-client collections.
 */
export type HmrcRecords = ReturnType<typeof openHmrcRecords>;

export function openHmrcRecords(store: SimulatorStore) {
  const underlay = openHmrcUnderlay(store);
  const openOverlay = <Document>(name: string, openUnderlay: () => Underlay<Document> | undefined) =>
    createOverlay(store.collection<Document | null>(name), openUnderlay);
  return {
    users: openOverlay<UserRecord>('hmrc.users', underlay.user),
    traders: openOverlay<TraderRecord>('hmrc.traders', underlay.trader),
    submissions: store.collection<SubmissionRecord>('hmrc.submissions'),
    grants: store.collection<GrantRecord>('hmrc.grants'),
    codes: store.collection<CodeRecord>('hmrc.codes'),
    accessTokens: store.collection<AccessTokenRecord>('hmrc.access_tokens'),
    /** Refresh token -> grant ID. Used tokens are kept, so that they are recognised as used. */
    refreshTokens: store.collection<string>('hmrc.refresh_tokens'),
    /** Browser session -> user ID. */
    sessions: store.collection<string>('hmrc.sessions'),
    calls: store.collection<CallRecord>('hmrc.calls'),
    /** "client ID, API, endpoint" -> its last call, for the validation feedback. */
    lastCalls: store.collection<CallRecord>('hmrc.last_calls'),
    settings: store.collection<string | number | boolean>('hmrc.settings'),
    obligations: (vrn: string) => openOverlay<ObligationRecord>(`hmrc.obligations ${vrn}`, underlay.list('obligations', vrn)),
    returns: (vrn: string) => openOverlay<ReturnRecord>(`hmrc.returns ${vrn}`, underlay.list('returns', vrn)),
    charges: (vrn: string) => openOverlay<ChargeRecord>(`hmrc.charges ${vrn}`, underlay.list('charges', vrn)),
    payments: (vrn: string) => openOverlay<PaymentRecord>(`hmrc.payments ${vrn}`, underlay.list('payments', vrn)),
    repayments: (vrn: string) => openOverlay<RepaymentRecord>(`hmrc.repayments ${vrn}`, underlay.list('repayments', vrn)),
    /** By VAT number; a trader without an entry has no penalties. */
    penalties: openOverlay<VatPenaltiesWire>('hmrc.penalties', underlay.penalties),
    /** By National Insurance number: taxpayers signed up to Making Tax Digital for Income Tax. */
    incomeTax: openOverlay<IncomeTaxRecord>('hmrc.income_tax', underlay.incomeTax),
    /** By "service client", for one agent. */
    relationships: (arn: string) => openOverlay<RelationshipRecord>(`hmrc.relationships ${arn}`, underlay.relationships(arn)),
    /** By ID, for one agent. */
    invitations: (arn: string) => openOverlay<InvitationRecord>(`hmrc.invitations ${arn}`, underlay.invitations(arn)),
  };
}
