/** Conditions of the client list on HMRC's authorisations and the last refresh. A tax counts only while the client has it. */
import type { ClientFilters } from '@portal/contract/client-filters.ts';
import { clientRows, clientSyncs } from '@portal/db/schema/schema.ts';
import type { AuthorisationFilter } from '@portal/domain/authorisations/describe-authorisation.ts';
import { AGENT_TAXES, type AgentTax, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { sql, type SQL, type SQLWrapper } from '@portal/db/sql.ts';
import { matchesAuthorisationFilter } from '../authorisations/authorisation-status-sql.ts';
import { IS_AUTHORISATION_REASON, isInRunGroup, type RunGroup } from '../sync/run-conditions.ts';

const TODAY = sql`${sql.placeholder('today')}::date`;

/** Avoids a subquery for each client, so that PostgreSQL can hash the join. */
const HAS_SYNCED_TAX = sql`case ${clientSyncs.tax} when 'vat' then ${clientRows.hasVat} when 'paye' then ${clientRows.hasPaye}
  when 'ct' then ${clientRows.hasCt} else ${clientRows.hasSa} end`;

const HAS_TAX: Readonly<Record<AgentTax, SQLWrapper>> = { vat: clientRows.hasVat, sa: clientRows.hasSa };

/**
 * PAYE and corporation tax have no authorisation that software could request, so a filter on them matches nothing. Requires the placeholder
 * `today`.
 */
export function hasAuthorisation(filter: AuthorisationFilter, tax: Tax | undefined): SQL {
  const [companyId, clientId] = [sql`${clientRows.companyId}`, sql`${clientRows.clientId}`];
  const conditions = AGENT_TAXES.filter((covered) => tax === undefined || tax === covered).map(
    (covered) => sql`(${HAS_TAX[covered]} and ${matchesAuthorisationFilter(filter, { companyId, clientId, tax: covered, today: TODAY })})`,
  );
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`;
}

/** Matches the last refresh of one of the client's taxes, or of `tax`. */
function hasSync(tax: Tax | undefined, condition: SQL): SQL {
  return sql`exists (select from ${clientSyncs} where ${clientSyncs.companyId} = ${clientRows.companyId}
    and ${clientSyncs.clientId} = ${clientRows.clientId} and ${tax === undefined ? sql`true` : sql`${clientSyncs.tax} = ${sql.raw(`'${tax}'`)}`}
    and ${HAS_SYNCED_TAX} and ${condition})`;
}

/** A missing authorisation has its own filter. A failure that is retried automatically needs no action. */
const FAILED_PERMANENTLY = sql`${clientSyncs.state} = 'failed' and ${clientSyncs.retryAt} is null and not ${IS_AUTHORISATION_REASON}`;

/** Matches clients in a group of the newest refresh of its tax. */
const isInNewestRun = (group: RunGroup): SQL => sql`exists (select from (select distinct on (r.tax) r.id, r.started_at from sync_runs r
  where r.company_id = ${sql.placeholder('companyId')} order by r.tax, r.started_at desc) newest
  where newest.id = ${clientSyncs.runId} and ${isInRunGroup(group, sql`newest.started_at`)})`;

/** With `hasReason`, the same refresh must also match the placeholder `reason`. */
export function hasRefresh(refresh: NonNullable<ClientFilters['refresh']>, tax: Tax | undefined, hasReason: boolean): SQL {
  const reasonCondition = hasReason ? sql` and ${HAS_REASON}` : sql``;
  if (refresh === 'without_nino') return hasReason ? sql`(${isWithoutNino(tax)} and ${hasRefreshReason(tax)})` : isWithoutNino(tax);
  if (refresh === 'failed') return hasSync(tax, sql`${FAILED_PERMANENTLY}${reasonCondition}`);
  if (refresh === 'waiting')
    return hasSync(tax, sql`${clientSyncs.state} = 'failed' and ${clientSyncs.retryAt} is not null${reasonCondition}`);
  return hasSync(tax, sql`${isInNewestRun(refresh)}${reasonCondition}`);
}

/**
 * A failure without a reason counts as `unknown`, as in the refresh status. For a boolean CASE PostgreSQL estimates half of the failures,
 * so it stops the list after a page instead of sorting all of them.
 */
const HAS_REASON = sql`${clientSyncs.state} = 'failed'
  and case when coalesce(${clientSyncs.reason}, 'unknown') = ${sql.placeholder('reason')} then true else false end`;

/** Requires the placeholder `reason`. */
export function hasRefreshReason(tax: Tax | undefined): SQL {
  return hasSync(tax, HAS_REASON);
}

/** HMRC identifies a Self Assessment taxpayer by the National Insurance number. */
function isWithoutNino(tax: Tax | undefined): SQL {
  if (tax !== undefined && tax !== 'sa') return sql`false`;
  return sql`(${clientRows.hasSa} and exists (select from clients c where c.company_id = ${clientRows.companyId}
    and c.id = ${clientRows.clientId} and c.nino is null))`;
}
