/** Records of agents, their clients and income tax in the HMRC simulator. Amounts are pence; positive is owed to HMRC. */
import type { Instant } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';

export const AGENT_SERVICES = ['MTD-VAT', 'MTD-IT'] as const;
export type AgentServiceWire = (typeof AGENT_SERVICES)[number];
export type AgentTypeWire = 'main' | 'supporting';

/** A client's authorisation of an agent: one for each service and client. `agentType` is set for income tax only. */
export type RelationshipRecord = {
  readonly service: AgentServiceWire;
  readonly clientId: string;
  readonly agentType?: AgentTypeWire;
  readonly since: PlainDate;
};

export function getRelationshipKey(service: AgentServiceWire, clientId: string): string {
  return `${service} ${clientId}`;
}

/** An authorisation request. A request still stored as Pending after 21 days counts as expired. */
export type InvitationRecord = {
  readonly invitationId: string;
  readonly arn: string;
  readonly service: AgentServiceWire;
  readonly clientId: string;
  readonly clientType: 'personal' | 'business';
  readonly agentType?: AgentTypeWire;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly status: 'Pending' | 'Accepted' | 'Rejected' | 'Cancelled' | 'Deauthorised';
};

/** A charge on a Self Assessment account. The cleared amount is the sum of the payments allocated to it. */
export type IncomeTaxCharge = {
  readonly documentId: string;
  readonly taxYear: string;
  readonly kind: 'poa1' | 'poa2' | 'balancing';
  readonly raisedOn: PlainDate;
  readonly due: PlainDate;
  readonly originalPence: number;
};

export type IncomeTaxPayment = {
  readonly paymentLot: string;
  readonly paymentLotItem: string;
  readonly reference: string;
  readonly amountPence: number;
  readonly receivedOn: PlainDate;
  readonly allocations: readonly { readonly documentId: string; readonly amountPence: number }[];
};

/**
 * A taxpayer signed up to Making Tax Digital for Income Tax. The clock determines which updates and returns are expected; this records
 * those received.
 */
export type IncomeTaxRecord = {
  readonly nino: string;
  readonly name: string;
  readonly postcode: string;
  readonly business: { readonly businessId: string; readonly typeOfBusiness: 'self-employment' | 'uk-property' | 'foreign-property' };
  /** False when HMRC has no data to show yet. */
  readonly hasData: boolean;
  /** Due date of a quarterly update -> the day it was received. */
  readonly updatesReceived: Readonly<Record<string, PlainDate>>;
  /** Tax year -> the day its final declaration was received. */
  readonly declarationsReceived: Readonly<Record<string, PlainDate>>;
  /** The first tax year for which HMRC expects a declaration. */
  readonly firstTaxYear: string;
  readonly charges: readonly IncomeTaxCharge[];
  readonly payments: readonly IncomeTaxPayment[];
};
