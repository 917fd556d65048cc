/** Reads the stored authorisations of a client. */
import type { Authorisation } from '@portal/contract/authorisations.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { clientAuthorisations, clients, hmrcConnections, practices } from '@portal/db/schema/schema.ts';
import { londonDate } from '@portal/domain/clock.ts';
import { describeAuthorisation, LINK_DAYS } from '@portal/domain/practice/describe-authorisation.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { and, eq } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { nothingHere } from '../../http/policies.ts';
import { grantStatus } from '../connections/grant-status.ts';

export type ClientOf = { readonly companyId: string; readonly clientId: string };

export type Kept = typeof clientAuthorisations.$inferSelect;
export type Facts = Awaited<ReturnType<typeof loadFacts>>;

/** The client, the practice and its HMRC connection: everything that an authorisation depends on. */
export async function loadFacts(db: Db | Tx, { companyId, clientId }: ClientOf) {
  const [row] = await db
    .select({ client: clients, practice: practices, grant: hmrcConnections })
    .from(clients)
    .leftJoin(practices, eq(practices.companyId, clients.companyId))
    .leftJoin(hmrcConnections, eq(hmrcConnections.companyId, clients.companyId))
    .where(and(eq(clients.companyId, companyId), eq(clients.id, clientId)));
  if (!row) throw nothingHere();
  const kept = await db
    .select()
    .from(clientAuthorisations)
    .where(and(eq(clientAuthorisations.companyId, companyId), eq(clientAuthorisations.clientId, clientId)));
  return { ...row, kept: new Map(kept.map((one) => [one.tax, one])) };
}

export async function getAgentDetails(deps: AppDeps, of: ClientOf): Promise<{ arn: string | null; authorisations: Authorisation[] }> {
  const facts = await loadFacts(deps.database.db, of);
  const { hasVat, hasPaye, hasCt, hasSa } = facts.client;
  const has: Readonly<Record<Tax, boolean>> = { vat: hasVat, paye: hasPaye, ct: hasCt, sa: hasSa };
  const taxes = (Object.keys(has) as Tax[]).filter((tax) => has[tax]);
  return { arn: facts.practice?.arn ?? null, authorisations: taxes.map((tax) => viewOf(deps, facts, tax)) };
}

/** The authorisation for one tax, as the client page shows it. */
export function viewOf(deps: AppDeps, { client, practice, grant, kept }: Facts, tax: Tax): Authorisation {
  const one = kept.get(tax);
  const standing = describeAuthorisation({
    tax,
    status: one?.status ?? 'not_started',
    sentOn: one?.sentAt ? londonDate(one.sentAt) : null,
    expiresOn: one?.expiresOn ?? null,
    refusal: one?.refusal ?? null,
    hasReference: (tax === 'vat' ? client.vrn : client.nino) !== null,
    hasFact: (tax === 'vat' ? client.vatRegisteredOn : client.postcode) !== null,
    grant: grantStatus(grant, deps.clock.now()),
    agentCode: (tax === 'ct' ? practice?.agentCodeCt : practice?.agentCodePaye) ?? null,
    today: deps.clock.today(),
  });
  const isWaiting = standing.status === 'link_sent';
  return {
    tax,
    status: standing.status,
    sentence: standing.sentence,
    next: standing.next,
    acts: [...standing.acts],
    needs: standing.needs,
    link_day: standing.linkDay,
    link_days: LINK_DAYS,
    client_action_url: isWaiting ? (one?.clientActionUrl ?? null) : null,
    sent_at: one?.sentAt ?? null,
    expires_on: isWaiting ? (one?.expiresOn ?? null) : null,
    checked_at: one?.checkedAt ?? null,
  };
}
