/** Opens the collections of the HMRC simulator. */
import type { SimulatorStore } from '../simulator/simulator-store.ts';
import { openHmrcUnderlay } from '../portfolio/hmrc-underlay.ts';
import { overlay, type Underlay } from '../simulator/overlay.ts';
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
 * All collections of the simulator. Each trader has its own collections, so that its records are read without those of others. Clients of
 * a loaded portfolio are below them: they are found by key, and listed only in collections of one client.
 */
export type HmrcRecords = ReturnType<typeof openHmrcRecords>;

export function openHmrcRecords(store: SimulatorStore) {
  const under = openHmrcUnderlay(store);
  const over = <Document>(name: string, below: () => Underlay<Document> | undefined) =>
    overlay(store.collection<Document | null>(name), below);
  return {
    users: over<UserRecord>('hmrc.users', under.user),
    traders: over<TraderRecord>('hmrc.traders', under.trader),
    submissions: store.collection<SubmissionRecord>('hmrc.submissions'),
    grants: store.collection<GrantRecord>('hmrc.grants'),
    codes: store.collection<CodeRecord>('hmrc.codes'),
    accessTokens: store.collection<AccessTokenRecord>('hmrc.access_tokens'),
    /** Refresh token -> grant ID. A used token stays, so that it is recognised as used. */
    refreshTokens: store.collection<string>('hmrc.refresh_tokens'),
    /** Browser session -> user ID. */
    sessions: store.collection<string>('hmrc.sessions'),
    calls: store.collection<CallRecord>('hmrc.calls'),
    /** "client ID, API, endpoint" -> its last call, for the validation feedback. */
    lastCalls: store.collection<CallRecord>('hmrc.last_calls'),
    settings: store.collection<string | number | boolean>('hmrc.settings'),
    obligations: (vrn: string) => over<ObligationRecord>(`hmrc.obligations ${vrn}`, under.list('obligations', vrn)),
    returns: (vrn: string) => over<ReturnRecord>(`hmrc.returns ${vrn}`, under.list('returns', vrn)),
    charges: (vrn: string) => over<ChargeRecord>(`hmrc.charges ${vrn}`, under.list('charges', vrn)),
    payments: (vrn: string) => over<PaymentRecord>(`hmrc.payments ${vrn}`, under.list('payments', vrn)),
    repayments: (vrn: string) => over<RepaymentRecord>(`hmrc.repayments ${vrn}`, under.list('repayments', vrn)),
    /** By VAT number; a trader without an entry has no penalties. */
    penalties: over<VatPenaltiesWire>('hmrc.penalties', under.penalties),
    /** By National Insurance number: people signed up to Making Tax Digital for Income Tax. */
    incomeTax: over<IncomeTaxRecord>('hmrc.income_tax', under.incomeTax),
    /** By "service client", for one agent. */
    relationships: (arn: string) => over<RelationshipRecord>(`hmrc.relationships ${arn}`, under.relationships(arn)),
    /** By ID, for one agent. */
    invitations: (arn: string) => over<InvitationRecord>(`hmrc.invitations ${arn}`, under.invitations(arn)),
  };
}
