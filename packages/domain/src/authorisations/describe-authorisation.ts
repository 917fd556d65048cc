/** Describes a practice's HMRC authorisation for a client and tax: its status and the next step. */
import type { HmrcStatus } from '../vat-returns/hmrc-status.ts';
import { addDays, countDaysBetween, formatDate, type PlainDate } from '../plain-date.ts';
import { type AgentTax, type Tax, TAX_NAMES_IN_SENTENCE } from '../uk-tax/tax.ts';

/** How many days a client has to respond to a request (HMRC, Agent Authorisation API 2.0; docs/reference/hmrc.md section 5). */
export const REQUEST_LINK_TTL_DAYS = 21;

/** Status of the authorisation for one client and one tax (docs/product/decisions.md section 5). */
export const AUTHORISATIONS = [
  'not_checked',
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

/** Status names, the same in lists, filters, exports and on the client's page. */
export const AUTHORISATION_LABELS: Readonly<Record<Authorisation, string>> = {
  not_checked: 'Not checked yet',
  not_started: 'Not authorised',
  link_sent: 'Waiting for client',
  authorised: 'Authorised',
  expiring: 'Authorised, but HMRC connection ends soon',
  expired: 'Request expired',
  revoked: 'Authorisation ended',
  suspended: 'Suspended',
  unsupported: 'Set up at HMRC',
};

/** HMRC has shown that the client hasn’t authorised the practice. Excludes clients that we haven’t checked. */
export const UNAUTHORISED_STATUSES: readonly Authorisation[] = ['not_started', 'expired', 'revoked'];

/** Returns true if HMRC has ever reported that the practice may act for the client. */
export function wasAuthorised(status: Authorisation | null | undefined): boolean {
  return status === 'authorised' || status === 'expiring' || status === 'revoked';
}

/** The authorisation filters of a client list. `expiring`: a pending request that ends within 7 days. */
export const AUTHORISATION_FILTERS = [
  'missing',
  'not_checked',
  'not_started',
  'expired',
  'revoked',
  'pending',
  'expiring',
  'authorised',
  'suspended',
] as const;
export type AuthorisationFilter = (typeof AUTHORISATION_FILTERS)[number];

/** The statuses matched by each filter. `expiring` matches only requests that end soon. */
export const FILTERED_STATUSES: Readonly<Record<AuthorisationFilter, readonly Authorisation[]>> = {
  missing: UNAUTHORISED_STATUSES,
  not_checked: ['not_checked'],
  not_started: ['not_started'],
  expired: ['expired'],
  revoked: ['revoked'],
  pending: ['link_sent'],
  expiring: ['link_sent'],
  authorised: ['authorised'],
  suspended: ['suspended'],
};

/** The actions available to the practice. */
export const AUTHORISATION_ACTIONS = ['send', 'cancel', 'check'] as const;
export type AuthorisationAction = (typeof AUTHORISATION_ACTIONS)[number];

/** The missing known fact, which proves to HMRC that the agent has spoken to the client. */
export const MISSING_FACTS = ['vat_registered_on', 'postcode'] as const;
export type MissingFact = (typeof MISSING_FACTS)[number];

/** The facts that determine the status. `status` is the stored one, or null. */
export type AuthorisationStatusFacts = {
  readonly tax: Tax;
  readonly status: Authorisation | null;
  readonly sentOn: PlainDate | null;
  /** The day on which HMRC expires the request. */
  readonly expiresOn: PlainDate | null;
  /** Status of the practice's HMRC connection. */
  readonly hmrcConnection: HmrcStatus;
  readonly today: PlainDate;
};

export type AuthorisationFacts = AuthorisationStatusFacts & {
  /** HMRC's code for its last rejection, or REJECTED or CANCELLED for the request. */
  readonly refusal: string | null;
  /** True if we have the client's HMRC reference: VAT number or National Insurance number. */
  readonly hasReference: boolean;
  readonly hasFact: boolean;
  /** The practice's agent code for a tax that HMRC's API doesn't cover. */
  readonly agentCode: string | null;
};

export type AuthorisationDescription = {
  readonly status: Authorisation;
  readonly sentence: string;
  /** The next step; empty if there's nothing to do. */
  readonly next: string;
  readonly acts: readonly AuthorisationAction[];
  readonly needs: MissingFact | null;
  /** Days 1 to 21 of a pending request; otherwise null. */
  readonly linkDay: number | null;
};

/** Returns true for VAT and income tax, the only taxes that HMRC's Agent Authorisation API covers (docs/reference/hmrc.md section 5). */
export function isCoveredByHmrc(tax: Tax): tax is AgentTax {
  return tax === 'vat' || tax === 'sa';
}

/** Returns the status, text and actions for one tax. Pure: `today` decides whether a request is still pending. */
export function describeAuthorisation(facts: AuthorisationFacts): AuthorisationDescription {
  const description = describeTax(facts);
  const isBlocked = facts.hmrcConnection !== 'connected' && facts.hmrcConnection !== 'ending';
  if (!isBlocked || description.acts.length === 0) return description;
  return { ...description, acts: [], needs: null, next: 'Connect to HMRC before you send or check requests.' };
}

function describeTax(facts: AuthorisationFacts): AuthorisationDescription {
  const { tax, today } = facts;
  if (!isCoveredByHmrc(tax)) return describeUnsupportedTax(tax, facts.agentCode);
  const sendOptions = getSendOptions(facts);
  const noLink = { linkDay: null, needs: null } as const;
  switch (getAuthorisationStatus(facts)) {
    case 'authorised':
      return {
        ...noLink,
        status: 'authorised',
        sentence: `The client has authorised you for ${TAX_NAMES_IN_SENTENCE[tax]}.`,
        next: '',
        acts: listCheckActions(facts),
      };
    case 'expiring':
      return {
        ...noLink,
        status: 'expiring',
        sentence: `The client has authorised you for ${TAX_NAMES_IN_SENTENCE[tax]}, but your HMRC connection ends soon.`,
        next: 'Reconnect HMRC in Settings.',
        acts: listCheckActions(facts),
      };
    case 'link_sent':
      return describePendingRequest(facts, today);
    case 'expired':
      return { ...sendOptions, status: 'expired', sentence: 'The client didn’t respond within 21 days.', next: 'Send a new request.' };
    case 'revoked':
      return {
        ...sendOptions,
        status: 'revoked',
        sentence: `The client or HMRC has ended your authorisation for ${TAX_NAMES_IN_SENTENCE[tax]}.`,
        next: 'Check with the client, then send a new request.',
      };
    case 'suspended':
      return {
        ...noLink,
        status: 'suspended',
        sentence: 'HMRC treats the client as insolvent, so it doesn’t show agents any details.',
        next: 'Contact the insolvency practitioner.',
        acts: listCheckActions(facts),
      };
    case 'not_checked':
      return describeNotChecked(facts, sendOptions);
    default:
      return describeNotStarted(facts, sendOptions);
  }
}

/**
 * Returns a client's status for one tax, for every screen, list and file. A pending request expires on its expiry date even if we haven't
 * checked HMRC since.
 */
export function getAuthorisationStatus({ tax, status, sentOn, expiresOn, today, hmrcConnection }: AuthorisationStatusFacts): Authorisation {
  if (!isCoveredByHmrc(tax)) return 'unsupported';
  if (status === null || status === 'unsupported' || status === 'not_checked') return 'not_checked';
  if (status === 'authorised' || status === 'expiring') return hmrcConnection === 'ending' ? 'expiring' : 'authorised';
  if (status !== 'link_sent') return status;
  const expiryDate = expiresOn ?? (sentOn === null ? null : addDays(sentOn, REQUEST_LINK_TTL_DAYS));
  return expiryDate !== null && expiryDate <= today ? 'expired' : 'link_sent';
}

function describePendingRequest({ sentOn, expiresOn, tax }: AuthorisationFacts, today: PlainDate): AuthorisationDescription {
  const linkDay = sentOn === null ? null : Math.min(Math.max(countDaysBetween(sentOn, today) + 1, 1), REQUEST_LINK_TTL_DAYS);
  const expiryDate = expiresOn ?? (sentOn === null ? null : addDays(sentOn, REQUEST_LINK_TTL_DAYS));
  const lastDay = expiryDate === null ? '' : ` The client can respond until ${formatDate(addDays(expiryDate, -1))}.`;
  return {
    status: 'link_sent',
    sentence:
      linkDay === null
        ? `Waiting for the client to approve a request for ${TAX_NAMES_IN_SENTENCE[tax]}.`
        : `Request created (day ${linkDay} of ${REQUEST_LINK_TTL_DAYS}).${lastDay}`,
    next: 'The client signs in on HMRC’s website and gives permission.',
    acts: ['check', 'cancel'],
    needs: null,
    linkDay,
  };
}

/** An unknown status never means "no": the client may have authorised the practice on HMRC's website. */
function describeNotChecked(facts: AuthorisationFacts, sendOptions: SendOptions): AuthorisationDescription {
  const next = sendOptions.acts.includes('check')
    ? 'Refresh the client’s figures or check now. If the client hasn’t authorised you, create a request.'
    : getFirstStep(facts, sendOptions);
  return {
    ...sendOptions,
    status: 'not_checked',
    sentence: 'We haven’t checked with HMRC yet whether this client has authorised you.',
    next,
  };
}

function describeNotStarted(facts: AuthorisationFacts, sendOptions: SendOptions): AuthorisationDescription {
  const sentence = REFUSAL_MESSAGES[facts.refusal ?? ''] ?? 'This client hasn’t authorised you yet.';
  return { ...sendOptions, status: 'not_started', sentence, next: getFirstStep(facts, sendOptions) };
}

function getFirstStep({ tax }: AuthorisationFacts, { acts }: SendOptions): string {
  if (!acts.includes('send'))
    return tax === 'vat' ? 'Add the client’s VAT number first.' : 'Add the client’s National Insurance number first.';
  return 'Create a request. You’ll get a link for the client, who gives permission on HMRC’s website. If a request is already pending at HMRC, you’ll get its link.';
}

type SendOptions = Pick<AuthorisationDescription, 'acts' | 'needs' | 'linkDay'>;

/**
 * Returns the ways to send a request. It needs the client's reference. If the known fact is missing or doesn't match HMRC's, the user
 * enters it when sending.
 */
function getSendOptions(facts: AuthorisationFacts): SendOptions {
  if (!facts.hasReference) return { acts: [], needs: null, linkDay: null };
  const hasFact = facts.hasFact && !isAboutFact(facts.refusal);
  const needs = hasFact ? null : facts.tax === 'vat' ? 'vat_registered_on' : 'postcode';
  return { acts: hasFact ? ['send', 'check'] : ['send'], needs, linkDay: null };
}

function listCheckActions({ hasReference, hasFact }: AuthorisationFacts): readonly AuthorisationAction[] {
  return hasReference && hasFact ? ['check'] : [];
}

function describeUnsupportedTax(tax: 'paye' | 'ct', agentCode: string | null): AuthorisationDescription {
  const agentCodeText = agentCode === null ? 'your agent code (add it in Settings)' : `your agent code ${agentCode}`;
  return {
    status: 'unsupported',
    sentence: `You can’t request authorisation for ${TAX_NAMES_IN_SENTENCE[tax]} through software.`,
    next: `Set it up in HMRC’s online services with ${agentCodeText}, or with form 64-8. Figures come from the statements you import.`,
    acts: [],
    needs: null,
    linkDay: null,
  };
}

/** Messages for HMRC's codes (docs/reference/hmrc.md section 5). */
const REFUSAL_MESSAGES: Readonly<Record<string, string>> = {
  REJECTED: 'The client declined your last request.',
  CANCELLED: 'You cancelled the last request.',
  CLIENT_REGISTRATION_NOT_FOUND: 'HMRC has no registration with this number. Check the client’s number.',
  POSTCODE_DOES_NOT_MATCH: 'The postcode doesn’t match HMRC’s records for the client.',
  POSTCODE_FORMAT_INVALID: 'HMRC doesn’t recognise the postcode. Check it.',
  VAT_REG_DATE_DOES_NOT_MATCH: 'The VAT registration date doesn’t match HMRC’s records for the client.',
  VAT_REG_DATE_FORMAT_INVALID: 'HMRC doesn’t recognise the VAT registration date. Check it.',
  CLIENT_ID_FORMAT_INVALID: 'HMRC doesn’t recognise the client’s number. Check it.',
  CLIENT_ID_DOES_NOT_MATCH_SERVICE: 'The client’s number is for a different tax.',
  ALREADY_BEING_PROCESSED: 'HMRC is still processing an earlier request for this client. Try again in a few minutes.',
  CLIENT_OR_AGENT_NOT_AUTHORISED: 'This client hasn’t authorised you yet.',
  MAYBE_REQUESTED:
    'This client hasn’t authorised you yet. HMRC has pending requests from you that weren’t created here, but doesn’t show which clients they’re for. One may be for this client.',
};

/** Returns true if HMRC rejected the known fact in the request, so that a different one may work. */
function isAboutFact(refusal: string | null): boolean {
  return refusal !== null && /^(POSTCODE|VAT_REG_DATE)_/.test(refusal);
}
