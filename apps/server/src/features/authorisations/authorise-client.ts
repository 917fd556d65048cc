/**
 * Requests a client's HMRC authorisation, cancels the request and checks its status. Runs for a user, with that user's fraud prevention
 * headers.
 */
import { randomUUID } from 'node:crypto';
import type { AgentTax } from '@portal/domain/uk-tax/tax.ts';
import type { Authorisation } from '@portal/contract/authorisations.ts';
import { clientAuthorisations, clients } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { isCoveredByHmrc } from '@portal/domain/authorisations/describe-authorisation.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { AgentAuthorisationClient, ClientIdentity, InvitationOutcome } from '@portal/providers/hmrc-agent/agent-authorisation-port.ts';
import type { HmrcCall } from '@portal/providers/hmrc/hmrc-types.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { queueRequestEmail } from '../authorisation-emails/queue-request-email.ts';
import { chooseEmailing } from '../authorisation-emails/request-emailing.ts';
import { toFraudHeaders, withAgentAccessToken, type ActingUser } from '../hmrc-connection/with-trader-access-token.ts';
import { fetchAuthorisation, fetchInvitation } from './fetch-authorisation.ts';
import { loadFacts, type ClientKey, type Facts } from './load-authorisation-facts.ts';
import { viewAuthorisation } from './authorisations-queries.ts';
import { storeAuthorisation, type AuthorisationState } from './store-authorisation.ts';

export type ClientTaxKey = ClientKey & { readonly tax: AgentTax };
type ProvidedFact = { readonly vatRegisteredOn?: PlainDate | undefined; readonly postcode?: string | undefined };

export async function sendAuthorisation(
  deps: AppDeps,
  user: ActingUser,
  key: ClientTaxKey,
  { emailsClient, ...providedFact }: ProvidedFact & { readonly emailsClient?: boolean | undefined },
): Promise<Authorisation> {
  const facts = await loadFacts(deps.database.db, key);
  const arn = requireArn(facts);
  const identity = requireIdentity(facts, key.tax, providedFact);
  const isEmailed = await chooseEmailing(deps, key.companyId, user, emailsClient);
  const foundState = await withUserToken(deps, user, key, async (call): Promise<AuthorisationState> => {
    const outcome = await deps.hmrcAgent.sendInvitation(call, arn, identity);
    return toAuthorisationState(deps.hmrcAgent, call, arn, outcome);
  });
  const isAccepted = foundState.refusal === null;
  await deps.database.db.transaction(async (tx) => {
    // HMRC accepted this fact, so it is correct. Store it, so that the user needn't enter it again.
    if (isAccepted && (providedFact.vatRegisteredOn !== undefined || providedFact.postcode !== undefined)) {
      const fact = identity.service === 'vat' ? { vatRegisteredOn: identity.registeredOn } : { postcode: identity.postcode };
      await tx
        .update(clients)
        .set({ ...fact, updatedAt: deps.clock.now() })
        .where(and(eq(clients.companyId, key.companyId), eq(clients.id, key.clientId)));
    }
    const { userId } = user.actor;
    const { ip } = user.caller;
    await storeAuthorisation(deps, tx, key, foundState, { actor: userId, action: 'authorisation.requested', ip });
    if (isEmailed) {
      const email = { kind: 'first' as const, requestedBy: userId, messageId: randomUUID(), actor: userId, ip };
      await queueRequestEmail(deps, tx, key, email);
    }
  });
  return viewAuthorisation(deps, key);
}

/** HMRC can't cancel a request that it has already closed, so the response is read instead. */
export async function cancelAuthorisation(deps: AppDeps, user: ActingUser, key: ClientTaxKey): Promise<Authorisation> {
  const facts = await loadFacts(deps.database.db, key);
  const arn = requireArn(facts);
  const storedAuthorisation = facts.storedAuthorisations.get(key.tax);
  const invitationId = storedAuthorisation?.invitationId;
  if (!storedAuthorisation || storedAuthorisation.status !== 'link_sent' || !invitationId) {
    throw new AppError('conflict', 'authorisation.no_pending_request', 'This client has no pending request. Refresh to see its status.');
  }
  const foundState = await withUserToken(deps, user, key, async (call): Promise<AuthorisationState> => {
    const outcome = await deps.hmrcAgent.cancelInvitation(call, arn, invitationId);
    if (outcome !== 'closed') return { status: 'not_started', refusal: 'CANCELLED' };
    return (await fetchInvitation(deps.hmrcAgent, call, arn, invitationId)) ?? { status: 'not_started', refusal: null };
  });
  return saveAndView(deps, user, key, foundState, 'authorisation.cancelled');
}

export async function checkAuthorisation(deps: AppDeps, user: ActingUser, key: ClientTaxKey): Promise<Authorisation> {
  const facts = await loadFacts(deps.database.db, key);
  const arn = requireArn(facts);
  const identity = buildIdentity(facts, key.tax, {});
  const foundState = await withUserToken(deps, user, key, async (call) => {
    const state = await fetchAuthorisation(deps.hmrcAgent, call, arn, facts.storedAuthorisations.get(key.tax), identity);
    const isUnexplained = state?.status === 'not_started' && state.refusal === null;
    return isUnexplained && (await hasUnmatchedRequest(deps, call, arn, key)) ? { ...state, refusal: 'MAYBE_REQUESTED' } : state;
  });
  if (foundState === undefined) requireIdentity(facts, key.tax, {});
  return saveAndView(deps, user, key, foundState ?? { status: 'not_started', refusal: null }, 'authorisation.checked');
}

/**
 * Returns whether the agency has a pending request for the tax that we can't match to a client. HMRC's list doesn't identify the client
 * (section 5), so it may be this client's.
 */
async function hasUnmatchedRequest(deps: AppDeps, call: HmrcCall, arn: string, { companyId, tax }: ClientTaxKey): Promise<boolean> {
  const service = tax === 'vat' ? 'vat' : 'income_tax';
  const pendingInvitations = (await deps.hmrcAgent.listInvitations(call, arn)).filter(
    (item) => item.status === 'pending' && item.service === service,
  );
  if (pendingInvitations.length === 0) return false;
  const knownInvitations = await deps.database.db
    .select({ id: clientAuthorisations.invitationId })
    .from(clientAuthorisations)
    .where(and(eq(clientAuthorisations.companyId, companyId), eq(clientAuthorisations.tax, tax)));
  const knownIds = new Set(knownInvitations.map(({ id }) => id));
  return pendingInvitations.some(({ invitationId }) => !knownIds.has(invitationId));
}

async function saveAndView(
  deps: AppDeps,
  user: ActingUser,
  key: ClientTaxKey,
  foundState: AuthorisationState,
  action: string,
): Promise<Authorisation> {
  await deps.database.db.transaction((tx) =>
    storeAuthorisation(deps, tx, key, foundState, { actor: user.actor.userId, action, ip: user.caller.ip }),
  );
  return viewAuthorisation(deps, key);
}

function withUserToken<Result>(
  deps: AppDeps,
  user: ActingUser,
  { companyId }: ClientTaxKey,
  work: (call: HmrcCall) => Promise<Result>,
): Promise<Result> {
  return withAgentAccessToken(deps, companyId, toFraudHeaders(deps, user), work);
}

export async function toAuthorisationState(
  agent: AgentAuthorisationClient,
  call: HmrcCall,
  arn: string,
  outcome: InvitationOutcome,
): Promise<AuthorisationState> {
  switch (outcome.outcome) {
    case 'refused':
      return { status: outcome.reason === 'client_insolvent' ? 'suspended' : 'not_started', refusal: outcome.code };
    case 'already_authorised':
      return { status: 'authorised', refusal: null };
    case 'sent':
    case 'already_pending': {
      const { invitationId } = outcome;
      if (invitationId === undefined) return { status: 'link_sent', refusal: null };
      const pendingState: AuthorisationState = { status: 'link_sent', refusal: null, invitationId };
      try {
        return (await fetchInvitation(agent, call, arn, invitationId)) ?? pendingState;
      } catch (error) {
        // The request exists. Its link can be read later.
        if (!(error instanceof ProviderError)) throw error;
        return pendingState;
      }
    }
  }
}

function requireArn({ practice }: Facts): string {
  if (!practice?.arn) {
    throw new AppError('conflict', 'practice.no_arn', 'Add your agent services account’s agent reference number first.');
  }
  return practice.arn;
}

/** Returns the client's reference and the fact that HMRC checks. Undefined if either is missing. */
export function buildIdentity({ client }: Facts, tax: AgentTax, providedFact: ProvidedFact): ClientIdentity | undefined {
  if (tax === 'vat') {
    const registeredOn = providedFact.vatRegisteredOn ?? client.vatRegisteredOn;
    const isPerson = client.kind === 'individual' || client.kind === 'sole_trader';
    return client.vrn !== null && registeredOn !== null ? { service: 'vat', vrn: client.vrn, registeredOn, isPerson } : undefined;
  }
  const postcode = providedFact.postcode || client.postcode;
  return client.nino !== null && postcode !== null ? { service: 'income_tax', nino: client.nino, postcode } : undefined;
}

function requireIdentity(facts: Facts, tax: AgentTax, providedFact: ProvidedFact): ClientIdentity {
  const identity = buildIdentity(facts, tax, providedFact);
  if (identity) return identity;
  const reference = tax === 'vat' ? facts.client.vrn : facts.client.nino;
  if (reference === null || !isCoveredByHmrc(tax)) {
    const name = tax === 'vat' ? 'VAT number' : 'National Insurance number';
    throw new AppError('conflict', 'authorisation.no_reference', `Add the client’s ${name} first.`);
  }
  const field = tax === 'vat' ? 'vat_registered_on' : 'postcode';
  const sentence =
    tax === 'vat' ? 'Enter the client’s VAT registration date. HMRC needs it.' : 'Enter the client’s postcode. HMRC needs it.';
  throw new AppError('invalid', 'authorisation.fact_missing', sentence, { field });
}
