/**
 * Requests a client's authorisation at HMRC, cancels the request and checks its state. Runs for a user, with that user's fraud prevention
 * headers.
 */
import type { AgentTax } from '@portal/domain/uk-tax/tax.ts';
import type { Authorisation } from '@portal/contract/authorisations.ts';
import { clients } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { isCoveredByHmrc } from '@portal/domain/practice/describe-authorisation.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { AgentAuthorisationClient, ClientIdentity, InvitationOutcome } from '@portal/providers/hmrc-agent/agent-authorisation-port.ts';
import type { HmrcCall } from '@portal/providers/hmrc/hmrc-terms.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { and, eq } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { fraudHeadersOf, useAgentGrant, type Person } from '../hmrc-connection/use-hmrc.ts';
import { askHmrc, readInvitation } from './ask-authorisation.ts';
import { loadFacts, viewOf, type ClientOf, type Facts } from './authorisation-queries.ts';
import { storeAuthorisation, type Found } from './store-authorisation.ts';

export type TaxOf = ClientOf & { readonly tax: AgentTax };
type GivenFact = { readonly vatRegisteredOn?: PlainDate | undefined; readonly postcode?: string | undefined };

export async function sendAuthorisation(deps: AppDeps, person: Person, of: TaxOf, given: GivenFact): Promise<Authorisation> {
  const facts = await loadFacts(deps.database.db, of);
  const arn = arnOf(facts);
  const identity = requireIdentity(facts, of.tax, given);
  const found = await withGrant(deps, person, of, async (call): Promise<Found> => {
    const outcome = await deps.hmrcAgent.sendInvitation(call, arn, identity);
    return foundAfter(deps.hmrcAgent, call, arn, outcome);
  });
  const isTaken = found.refusal === null;
  await deps.database.db.transaction(async (tx) => {
    // HMRC accepted this fact, so it is correct. Store it, so that it need not be typed again.
    if (isTaken && (given.vatRegisteredOn !== undefined || given.postcode !== undefined)) {
      const fact = identity.service === 'vat' ? { vatRegisteredOn: identity.registeredOn } : { postcode: identity.postcode };
      await tx
        .update(clients)
        .set({ ...fact, updatedAt: deps.clock.now() })
        .where(and(eq(clients.companyId, of.companyId), eq(clients.id, of.clientId)));
    }
    await storeAuthorisation(deps, tx, of, found, { actor: person.actor.userId, action: 'authorisation.asked', ip: person.caller.ip });
  });
  return viewOf(deps, await loadFacts(deps.database.db, of), of.tax);
}

/** A request that HMRC has already closed cannot be cancelled. Its answer is read instead. */
export async function cancelAuthorisation(deps: AppDeps, person: Person, of: TaxOf): Promise<Authorisation> {
  const facts = await loadFacts(deps.database.db, of);
  const arn = arnOf(facts);
  const kept = facts.kept.get(of.tax);
  const invitationId = kept?.invitationId;
  if (!kept || kept.status !== 'link_sent' || !invitationId) {
    throw new AppError('conflict', 'authorisation.nothing_waits', 'No request waits for this client. Look again how it stands.');
  }
  const found = await withGrant(deps, person, of, async (call): Promise<Found> => {
    const outcome = await deps.hmrcAgent.cancelInvitation(call, arn, invitationId);
    if (outcome !== 'closed') return { status: 'not_started', refusal: 'CANCELLED' };
    return (await readInvitation(deps.hmrcAgent, call, arn, invitationId)) ?? { status: 'not_started', refusal: null };
  });
  return keep(deps, person, of, found, 'authorisation.cancelled');
}

export async function checkAuthorisation(deps: AppDeps, person: Person, of: TaxOf): Promise<Authorisation> {
  const facts = await loadFacts(deps.database.db, of);
  const arn = arnOf(facts);
  const identity = identityOf(facts, of.tax, {});
  const found = await withGrant(deps, person, of, (call) => askHmrc(deps.hmrcAgent, call, arn, facts.kept.get(of.tax), identity));
  if (found === undefined) requireIdentity(facts, of.tax, {});
  return keep(deps, person, of, found ?? { status: 'not_started', refusal: null }, 'authorisation.checked');
}

async function keep(deps: AppDeps, person: Person, of: TaxOf, found: Found, action: string): Promise<Authorisation> {
  await deps.database.db.transaction((tx) =>
    storeAuthorisation(deps, tx, of, found, { actor: person.actor.userId, action, ip: person.caller.ip }),
  );
  return viewOf(deps, await loadFacts(deps.database.db, of), of.tax);
}

function withGrant<Result>(
  deps: AppDeps,
  person: Person,
  { companyId }: TaxOf,
  work: (call: HmrcCall) => Promise<Result>,
): Promise<Result> {
  return useAgentGrant(deps, companyId, fraudHeadersOf(deps, person), work);
}

async function foundAfter(agent: AgentAuthorisationClient, call: HmrcCall, arn: string, outcome: InvitationOutcome): Promise<Found> {
  switch (outcome.outcome) {
    case 'refused':
      return { status: outcome.reason === 'client_insolvent' ? 'suspended' : 'not_started', refusal: outcome.code };
    case 'already_authorised':
      return { status: 'authorised', refusal: null };
    case 'sent':
    case 'already_pending': {
      const { invitationId } = outcome;
      if (invitationId === undefined) return { status: 'link_sent', refusal: null };
      const waiting: Found = { status: 'link_sent', refusal: null, invitationId };
      try {
        return (await readInvitation(agent, call, arn, invitationId)) ?? waiting;
      } catch (error) {
        // The request exists. Its link can be read later.
        if (!(error instanceof ProviderError)) throw error;
        return waiting;
      }
    }
  }
}

function arnOf({ practice }: Facts): string {
  if (!practice?.arn) {
    throw new AppError('conflict', 'practice.no_arn', 'Add the agent reference number of your agent services account first.');
  }
  return practice.arn;
}

/** The client's reference with the fact that HMRC checks. Undefined when either is missing. */
function identityOf({ client }: Facts, tax: AgentTax, given: GivenFact): ClientIdentity | undefined {
  if (tax === 'vat') {
    const registeredOn = given.vatRegisteredOn ?? client.vatRegisteredOn;
    const isPerson = client.kind === 'individual' || client.kind === 'sole_trader';
    return client.vrn !== null && registeredOn !== null ? { service: 'vat', vrn: client.vrn, registeredOn, isPerson } : undefined;
  }
  const postcode = given.postcode || client.postcode;
  return client.nino !== null && postcode !== null ? { service: 'income_tax', nino: client.nino, postcode } : undefined;
}

function requireIdentity(facts: Facts, tax: AgentTax, given: GivenFact): ClientIdentity {
  const identity = identityOf(facts, tax, given);
  if (identity) return identity;
  const reference = tax === 'vat' ? facts.client.vrn : facts.client.nino;
  if (reference === null || !isCoveredByHmrc(tax)) {
    const name = tax === 'vat' ? 'VAT number' : 'National Insurance number';
    throw new AppError('conflict', 'authorisation.no_reference', `Add the client’s ${name} first.`);
  }
  const field = tax === 'vat' ? 'vat_registered_on' : 'postcode';
  const sentence =
    tax === 'vat' ? 'Enter the day the client was registered for VAT; HMRC asks for it.' : 'Enter the client’s postcode; HMRC asks for it.';
  throw new AppError('invalid', 'authorisation.fact_missing', sentence, { field });
}
