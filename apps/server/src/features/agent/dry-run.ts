/**
 * Shows what the rules would have proposed on each of the last 30 days. Dates, amounts and invitations are as recorded on that day: later
 * ones are omitted, and changed figures have their earlier values.
 */
import type { agentModeApi } from '@portal/contract/agent.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { isInIdList } from '@portal/db/in-id-list.ts';
import type { Db } from '@portal/db/database.ts';
import { positionChanges } from '@portal/db/schema/schema.ts';
import { and, asc, eq, sql } from '@portal/db/sql.ts';
import type { ClientFacts } from '@portal/domain/agent/agent-facts.ts';
import { DRY_RUN_DAYS } from '@portal/domain/agent/agent-mode.ts';
import { AGENT_RULES } from '@portal/domain/agent/agent-rules.ts';
import { applyRules } from '@portal/domain/agent/apply-rules.ts';
import { toFactsOnDay, type PastFigures } from '@portal/domain/agent/facts-of-day.ts';
import { PROPOSED_ACTION_RULES } from '@portal/domain/agent/proposed-action.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { loadNextFacts, loadPracticeFacts } from './load-facts.ts';
import { readDisabledRules, readRuleSettings } from './rule-settings.ts';

type DryRun = EndpointOutput<typeof agentModeApi.dryRun>;
type DryRunExample = DryRun['rules'][number]['examples'][number];

/** Small, because one batch evaluates thirty days without a pause. */
const BATCH_SIZE = 100;
const MAX_EXAMPLES = 5;
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

export async function dryRunRules(deps: AppDeps, { tenant }: Call<typeof agentModeApi.dryRun>): Promise<DryRun> {
  const { practiceId: companyId } = tenant;
  const { db } = deps.database;
  const to = deps.clock.today();
  const from = addDays(to, 1 - DRY_RUN_DAYS);
  const days = Array.from({ length: DRY_RUN_DAYS }, (_, index) => addDays(from, index));
  const situation = { practice: await loadPracticeFacts(db, companyId, to), settings: await readRuleSettings(db, companyId) };
  const counts = new Map<string, { proposals: number; clients: Set<string>; examples: DryRunExample[] }>();
  let clients = 0;
  for (let afterId = NIL_UUID; ;) {
    const batch = await loadNextFacts(db, { companyId, today: to, publicUrl: deps.site.publicUrl }, afterId, BATCH_SIZE);
    const last = batch.at(-1);
    if (!last) break;
    afterId = last.client_id;
    clients += batch.length;
    const ids = batch.map(({ client_id: id }) => id);
    const [offRules, pastFigures] = [await readDisabledRules(db, companyId, ids), await readPastFigures(db, companyId, ids, from)];
    for (const client of batch) {
      for (const { day, proposal } of replay(client, days, {
        ...situation,
        off: offRules.get(client.client_id),
        past: pastFigures.get(client.client_id),
      })) {
        const count = counts.get(proposal.rule_id) ?? { proposals: 0, clients: new Set(), examples: [] };
        counts.set(proposal.rule_id, count);
        count.proposals += 1;
        count.clients.add(client.client_id);
        if (count.examples.length < MAX_EXAMPLES) {
          count.examples.push({ on: day, client_id: client.client_id, client: client.name, title: proposal.title });
        }
      }
    }
  }
  const rules = AGENT_RULES.flatMap(({ id, name, proposes }) => {
    const count = counts.get(id);
    if (!count) return [];
    const { name: ruleName, isSafe } = PROPOSED_ACTION_RULES[proposes];
    return [{ rule_id: id, name, proposes_text: ruleName, is_safe: isSafe, ...count, clients: count.clients.size }];
  });
  return { from, to, clients, rules };
}

type ReplayOptions = Omit<Parameters<typeof applyRules>[1], 'today'> & {
  off: ReadonlySet<string> | undefined;
  past: readonly PastFigures[] | undefined;
};

/** Returns each proposal on the first day on which its rule would have made it. */
function replay(client: ClientFacts, days: readonly PlainDate[], { off, past = [], ...situation }: ReplayOptions) {
  const firstProposals = new Map<string, { day: PlainDate; proposal: ReturnType<typeof applyRules>[number] }>();
  for (const day of days) {
    const facts = toFactsOnDay(client, day, past);
    if (!facts) continue;
    for (const proposal of applyRules(facts, { ...situation, today: day }, off)) {
      const key = `${proposal.rule_id} ${proposal.subject}`;
      if (!firstProposals.has(key)) firstProposals.set(key, { day, proposal });
    }
  }
  return firstProposals.values();
}

/** Returns the changes since the first day, earliest first, each with the figures before it. */
async function readPastFigures(
  db: Db,
  companyId: string,
  ids: readonly string[],
  from: PlainDate,
): Promise<ReadonlyMap<string, PastFigures[]>> {
  const rows = await db
    .select({ clientId: positionChanges.clientId, tax: positionChanges.tax, at: positionChanges.changedAt, before: positionChanges.before })
    .from(positionChanges)
    .where(
      and(
        eq(positionChanges.companyId, companyId),
        isInIdList(positionChanges.clientId, ids),
        sql`${positionChanges.changedAt} >= ${from}::date`,
      ),
    )
    .orderBy(asc(positionChanges.changedAt));
  const pastByClient = new Map<string, PastFigures[]>();
  for (const { clientId, tax, at, before } of rows) {
    pastByClient.set(clientId, [...(pastByClient.get(clientId) ?? []), { tax, changed_on: toLondonDate(at), before }]);
  }
  return pastByClient;
}
