/** Returns the stored authorisations of a client. */
import type { Authorisation, RequestEmail } from '@portal/contract/authorisations.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import {
  AUTHORISATION_LABELS,
  describeAuthorisation,
  REQUEST_LINK_TTL_DAYS,
} from '@portal/domain/authorisations/describe-authorisation.ts';
import type { AgentTax, Tax } from '@portal/domain/uk-tax/tax.ts';
import type { AppDeps } from '../../app-deps.ts';
import { loadRequestEmails } from '../authorisation-emails/load-request-emails.ts';
import { loadFacts, type ClientKey, type Facts } from './load-authorisation-facts.ts';
import { getHmrcConnectionStatus } from '../connections/connection-status.ts';

type AgentDetails = { arn: string | null; emails_clients: boolean; authorisations: Authorisation[] };

export async function getAgentDetails(deps: AppDeps, key: ClientKey): Promise<AgentDetails> {
  const { db } = deps.database;
  const facts = await loadFacts(db, key);
  const getEmail = await loadRequestEmails(db, key, deps.clock.today());
  const { hasVat, hasPaye, hasCt, hasSa } = facts.client;
  const hasTax: Readonly<Record<Tax, boolean>> = { vat: hasVat, paye: hasPaye, ct: hasCt, sa: hasSa };
  const taxes = (Object.keys(hasTax) as Tax[]).filter((tax) => hasTax[tax]);
  return {
    arn: facts.practice?.arn ?? null,
    emails_clients: facts.practice?.emailsRequests ?? false,
    authorisations: taxes.map((tax) => toAuthorisationView(deps, facts, tax, getEmail(key.clientId, tax))),
  };
}

/** Returns the current authorisation for one tax. */
export async function viewAuthorisation(deps: AppDeps, { tax, ...key }: ClientKey & { readonly tax: AgentTax }): Promise<Authorisation> {
  const { db } = deps.database;
  const getEmail = await loadRequestEmails(db, { ...key, tax }, deps.clock.today());
  return toAuthorisationView(deps, await loadFacts(db, key), tax, getEmail(key.clientId, tax));
}

/** Converts the authorisation for one tax to the format that the client page shows. */
function toAuthorisationView(
  deps: AppDeps,
  { client, practice, grant, storedAuthorisations }: Facts,
  tax: Tax,
  email: RequestEmail | null,
): Authorisation {
  const storedAuthorisation = storedAuthorisations.get(tax);
  const description = describeAuthorisation({
    tax,
    status: storedAuthorisation?.status ?? null,
    sentOn: storedAuthorisation?.sentAt ? toLondonDate(storedAuthorisation.sentAt) : null,
    expiresOn: storedAuthorisation?.expiresOn ?? null,
    refusal: storedAuthorisation?.refusal ?? null,
    hasReference: (tax === 'vat' ? client.vrn : client.nino) !== null,
    hasFact: (tax === 'vat' ? client.vatRegisteredOn : client.postcode) !== null,
    hmrcConnection: getHmrcConnectionStatus(grant, deps.clock.now()),
    agentCode: (tax === 'ct' ? practice?.agentCodeCt : practice?.agentCodePaye) ?? null,
    today: deps.clock.today(),
  });
  const isPending = description.status === 'link_sent';
  return {
    tax,
    status: description.status,
    sentence: description.sentence,
    next: description.next,
    acts: [...description.acts],
    needs: description.needs,
    link_day: description.linkDay,
    link_days: REQUEST_LINK_TTL_DAYS,
    client_action_url: isPending ? (storedAuthorisation?.clientActionUrl ?? null) : null,
    sent_at: storedAuthorisation?.sentAt ?? null,
    expires_on: isPending ? (storedAuthorisation?.expiresOn ?? null) : null,
    checked_at: storedAuthorisation?.checkedAt ?? null,
    email: isPending ? email : null,
  };
}

/** Returns what the client's own users see: the status, and the link to respond to a request. Omits the practice's actions. */
export function toClientsView(authorisation: Authorisation): Authorisation {
  return { ...authorisation, sentence: AUTHORISATION_LABELS[authorisation.status], next: '', acts: [], needs: null, email: null };
}
