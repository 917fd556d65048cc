/** What the HMRC double keeps of agents and their clients, and of income tax. Amounts are pence; positive is owed to HMRC. */
import type { Instant } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';

export const AGENT_SERVICES = ['MTD-VAT', 'MTD-IT'] as const;
export type AgentServiceWire = (typeof AGENT_SERVICES)[number];
export type AgentTypeWire = 'main' | 'supporting';

/** A client's standing authority for an agent. There is one for each service and client; `agentType` stands for income tax only. */
export type RelationshipRecord = {
  readonly service: AgentServiceWire;
  readonly clientId: string;
  readonly agentType?: AgentTypeWire;
  readonly since: PlainDate;
};

export function relationshipKey(service: AgentServiceWire, clientId: string): string {
  return `${service} ${clientId}`;
}

/** An authorisation request. One that still says Pending has expired once its 21 days are over. */
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

/** A charge on a Self Assessment account; what is cleared so far is the sum of the payments allocated to it. */
export type IncomeTaxCharge = {
  readonly documentId: string;
  readonly taxYear: string;
  readonly kind: 'poa1' | 'poa2' | 'balancing';
  readonly raisedOn: PlainDate;
  readonly due: PlainDate;
  readonly originalPence: number;
};

/** A payment with its allocations to charges. */
export type IncomeTaxPayment = {
  readonly lot: string;
  readonly lotItem: string;
  readonly reference: string;
  readonly amountPence: number;
  readonly receivedOn: PlainDate;
  readonly allocations: readonly { readonly documentId: string; readonly amountPence: number }[];
};

/** A person who is signed up to Making Tax Digital for Income Tax. Which updates and returns are expected follows from the clock; here is what came in. */
export type IncomeTaxRecord = {
  readonly nino: string;
  readonly name: string;
  readonly postcode: string;
  readonly business: { readonly businessId: string; readonly typeOfBusiness: 'self-employment' | 'uk-property' | 'foreign-property' };
  /** False where HMRC has nothing to show yet. */
  readonly hasData: boolean;
  /** Due date of a quarterly update -> the day it came. */
  readonly updatesReceived: Readonly<Record<string, PlainDate>>;
  /** Tax year -> the day its final declaration came. */
  readonly declarationsReceived: Readonly<Record<string, PlainDate>>;
  /** The first tax year whose declaration HMRC expects. */
  readonly firstTaxYear: string;
  readonly charges: readonly IncomeTaxCharge[];
  readonly payments: readonly IncomeTaxPayment[];
};
