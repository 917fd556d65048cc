/** Reads the stored authorisations of a client. */
import type { Authorisation } from '@portal/contract/authorisations.ts';
import { londonDate } from '@portal/domain/clock.ts';
import { AUTHORISATION_LABELS, describeAuthorisation, LINK_DAYS } from '@portal/domain/authorisations/describe-authorisation.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import type { AppDeps } from '../../app-deps.ts';
import { loadFacts, type ClientKey, type Facts } from './load-authorisation-facts.ts';
import { getHmrcConnectionStatus } from '../connections/connection-status.ts';

export async function getAgentDetails(deps: AppDeps, key: ClientKey): Promise<{ arn: string | null; authorisations: Authorisation[] }> {
  const facts = await loadFacts(deps.database.db, key);
  const { hasVat, hasPaye, hasCt, hasSa } = facts.client;
  const has: Readonly<Record<Tax, boolean>> = { vat: hasVat, paye: hasPaye, ct: hasCt, sa: hasSa };
  const taxes = (Object.keys(has) as Tax[]).filter((tax) => has[tax]);
  return { arn: facts.practice?.arn ?? null, authorisations: taxes.map((tax) => toAuthorisationView(deps, facts, tax)) };
}

/** The authorisation for one tax, as the client page shows it. */
export function toAuthorisationView(deps: AppDeps, { client, practice, grant, storedAuthorisations }: Facts, tax: Tax): Authorisation {
  const stored = storedAuthorisations.get(tax);
  const description = describeAuthorisation({
    tax,
    status: stored?.status ?? null,
    sentOn: stored?.sentAt ? londonDate(stored.sentAt) : null,
    expiresOn: stored?.expiresOn ?? null,
    refusal: stored?.refusal ?? null,
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
    link_days: LINK_DAYS,
    client_action_url: isPending ? (stored?.clientActionUrl ?? null) : null,
    sent_at: stored?.sentAt ?? null,
    expires_on: isPending ? (stored?.expiresOn ?? null) : null,
    checked_at: stored?.checkedAt ?? null,
  };
}

/** For the client's own people: the status, and the link to answer a request. What the practice can do is the practice's. */
export function toClientsView(authorisation: Authorisation): Authorisation {
  return { ...authorisation, sentence: AUTHORISATION_LABELS[authorisation.status], next: '', acts: [], needs: null };
}
