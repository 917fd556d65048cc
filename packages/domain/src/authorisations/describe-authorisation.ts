/** Describes what HMRC lets a practice do for a client and a tax: the status and the next step. */
import type { HmrcStatus } from '../vat-returns/hmrc-status.ts';
import { addDays, daysBetween, formatDate, type PlainDate } from '../plain-date.ts';
import type { AgentTax, Tax } from '../uk-tax/tax.ts';

/** Days a client has to answer a request (HMRC, Agent Authorisation API 2.0; docs/reference/hmrc.md section 5). */
export const LINK_DAYS = 21;

/** Status of the authority for one client and one tax (docs/product/decisions.md section 5). */
export const AUTHORISATIONS = [
  'not_started',
  'link_sent',
  'authorised',
  'expiring',
  'expired',
  'revoked',
  'suspended',
  'unsupported',
] as const;
export type Authorisation = (typeof AUTHORISATIONS)[number];

/** An action available to the practice. */
export const AUTHORISATION_ACTS = ['send', 'cancel', 'check'] as const;
export type AuthorisationAction = (typeof AUTHORISATION_ACTS)[number];

/** The missing known fact, which proves to HMRC that the agent has spoken to the client. */
export const MISSING_FACTS = ['vat_registered_on', 'postcode'] as const;
export type MissingFact = (typeof MISSING_FACTS)[number];

export type AuthorisationFacts = {
  readonly tax: Tax;
  readonly status: Authorisation;
  readonly sentOn: PlainDate | null;
  /** The day on which HMRC expires the request. */
  readonly expiresOn: PlainDate | null;
  /** HMRC's code for its last rejection, or REJECTED or CANCELLED for the request. */
  readonly refusal: string | null;
  /** Whether we hold the client's reference at HMRC: VAT number or National Insurance number. */
  readonly hasReference: boolean;
  readonly hasFact: boolean;
  /** Status of the practice's own HMRC connection. */
  readonly hmrcConnection: HmrcStatus;
  /** The practice's agent code for a tax that HMRC's API does not cover. */
  readonly agentCode: string | null;
  readonly today: PlainDate;
};

export type AuthorisationDescription = {
  readonly status: Authorisation;
  readonly sentence: string;
  /** What to do next; empty if there is nothing to do. */
  readonly next: string;
  readonly acts: readonly AuthorisationAction[];
  readonly needs: MissingFact | null;
  /** Day 1 to 21 of a pending request; null otherwise. */
  readonly linkDay: number | null;
};

const TAX_NAMES: Readonly<Record<Tax, string>> = { vat: 'VAT', paye: 'PAYE', ct: 'corporation tax', sa: 'Self Assessment' };

/** HMRC's Agent Authorisation API covers VAT and income tax only (docs/reference/hmrc.md section 5). */
export function isCoveredByHmrc(tax: Tax): tax is AgentTax {
  return tax === 'vat' || tax === 'sa';
}

/** Status, text and actions for one tax. Pure: `today` decides whether a request is still pending. */
export function describeAuthorisation(facts: AuthorisationFacts): AuthorisationDescription {
  const description = describeTax(facts);
  const isBlocked = facts.hmrcConnection !== 'connected' && facts.hmrcConnection !== 'ending';
  if (!isBlocked || description.acts.length === 0) return description;
  return { ...description, acts: [], needs: null, next: 'Nothing can be sent or checked until HMRC is connected.' };
}

function describeTax(facts: AuthorisationFacts): AuthorisationDescription {
  const { tax, today } = facts;
  if (!isCoveredByHmrc(tax)) return describeUnsupported(tax, facts.agentCode);
  const sendOptions = getSendOptions(facts);
  const withoutLink = { linkDay: null, needs: null } as const;
  switch (getCurrentStatus(facts)) {
    case 'authorised':
      return {
        ...withoutLink,
        status: 'authorised',
        sentence: `The client has authorised you for ${TAX_NAMES[tax]}.`,
        next: '',
        acts: getCheckActions(facts),
      };
    case 'expiring':
      return {
        ...withoutLink,
        status: 'expiring',
        sentence: `The client has authorised you for ${TAX_NAMES[tax]}, but HMRC’s permission for this portal ends soon.`,
        next: 'Connect HMRC again in the settings.',
        acts: getCheckActions(facts),
      };
    case 'link_sent':
      return describePendingRequest(facts, today);
    case 'expired':
      return { ...sendOptions, status: 'expired', sentence: 'The client did not answer within 21 days.', next: 'Send a new request.' };
    case 'revoked':
      return {
        ...sendOptions,
        status: 'revoked',
        sentence: `The client, or HMRC, has ended your authority for ${TAX_NAMES[tax]}.`,
        next: 'Ask the client, then send a new request.',
      };
    case 'suspended':
      return {
        ...withoutLink,
        status: 'suspended',
        sentence: 'HMRC treats the client as insolvent, and shows agents nothing of it.',
        next: 'Ask the insolvency practitioner.',
        acts: getCheckActions(facts),
      };
    default:
      return describeNotStarted(facts, sendOptions);
  }
}

/** A pending request expires on its expiry date even if we have not checked HMRC since. */
function getCurrentStatus({ status, sentOn, expiresOn, today, hmrcConnection }: AuthorisationFacts): Authorisation {
  if (status === 'authorised' && hmrcConnection === 'ending') return 'expiring';
  if (status !== 'link_sent') return status;
  const expiryDate = expiresOn ?? (sentOn === null ? null : addDays(sentOn, LINK_DAYS));
  return expiryDate !== null && expiryDate <= today ? 'expired' : 'link_sent';
}

function describePendingRequest({ sentOn, expiresOn, tax }: AuthorisationFacts, today: PlainDate): AuthorisationDescription {
  const linkDay = sentOn === null ? null : Math.min(Math.max(daysBetween(sentOn, today) + 1, 1), LINK_DAYS);
  const expiryDate = expiresOn ?? (sentOn === null ? null : addDays(sentOn, LINK_DAYS));
  const lastDay = expiryDate === null ? '' : ` The client can answer until ${formatDate(addDays(expiryDate, -1))}.`;
  return {
    status: 'link_sent',
    sentence:
      linkDay === null ? `A request for ${TAX_NAMES[tax]} waits for the client.` : `Link sent: day ${linkDay} of ${LINK_DAYS}.${lastDay}`,
    next: 'Give the client the link. They log in at HMRC and say yes.',
    acts: ['check', 'cancel'],
    needs: null,
    linkDay,
  };
}

function describeNotStarted(facts: AuthorisationFacts, sendOptions: SendOptions): AuthorisationDescription {
  const sentence = REFUSAL_MESSAGES[facts.refusal ?? ''] ?? 'You have not asked this client for authority.';
  const next = sendOptions.acts.includes('send')
    ? 'Send a request. You get a link for the client, who says yes at HMRC.'
    : facts.tax === 'vat'
      ? 'Add the client’s VAT number first.'
      : 'Add the client’s National Insurance number first.';
  return { ...sendOptions, status: 'not_started', sentence, next };
}

type SendOptions = Pick<AuthorisationDescription, 'acts' | 'needs' | 'linkDay'>;

/** A request needs the client's reference. If the known fact is missing or does not match HMRC's, the user enters it when sending. */
function getSendOptions(facts: AuthorisationFacts): SendOptions {
  if (!facts.hasReference) return { acts: [], needs: null, linkDay: null };
  const hasFact = facts.hasFact && !isAboutFact(facts.refusal);
  const needs = hasFact ? null : facts.tax === 'vat' ? 'vat_registered_on' : 'postcode';
  return { acts: hasFact ? ['send', 'check'] : ['send'], needs, linkDay: null };
}

function getCheckActions({ hasReference, hasFact }: AuthorisationFacts): readonly AuthorisationAction[] {
  return hasReference && hasFact ? ['check'] : [];
}

function describeUnsupported(tax: 'paye' | 'ct', agentCode: string | null): AuthorisationDescription {
  const agentCodeText = agentCode === null ? 'your agent code (add it in the settings)' : `your agent code ${agentCode}`;
  return {
    status: 'unsupported',
    sentence: `HMRC’s service for agents’ software does not cover ${TAX_NAMES[tax]}.`,
    next: `Ask for authority in HMRC’s online services with ${agentCodeText}, or by form 64-8. Figures come from the statements you import.`,
    acts: [],
    needs: null,
    linkDay: null,
  };
}

/** Messages for HMRC's codes (docs/reference/hmrc.md section 5). */
const REFUSAL_MESSAGES: Readonly<Record<string, string>> = {
  REJECTED: 'The client refused your last request.',
  CANCELLED: 'You cancelled the last request.',
  CLIENT_REGISTRATION_NOT_FOUND: 'HMRC knows no such registration. Check the client’s number.',
  POSTCODE_DOES_NOT_MATCH: 'The postcode is not the one HMRC holds for the client.',
  POSTCODE_FORMAT_INVALID: 'HMRC cannot read the postcode.',
  VAT_REG_DATE_DOES_NOT_MATCH: 'The VAT registration date is not the one HMRC holds for the client.',
  VAT_REG_DATE_FORMAT_INVALID: 'HMRC cannot read the VAT registration date.',
  CLIENT_ID_FORMAT_INVALID: 'HMRC cannot read the client’s number.',
  CLIENT_ID_DOES_NOT_MATCH_SERVICE: 'The client’s number is of another tax.',
  ALREADY_BEING_PROCESSED: 'HMRC is working on an earlier request for this client. Ask again in a few minutes.',
  CLIENT_OR_AGENT_NOT_AUTHORISED: 'HMRC has not authorised you for this client.',
};

/** Whether HMRC rejected the known fact sent with the request, so that a different one may help. */
function isAboutFact(refusal: string | null): boolean {
  return refusal !== null && /^(POSTCODE|VAT_REG_DATE)_/.test(refusal);
}
