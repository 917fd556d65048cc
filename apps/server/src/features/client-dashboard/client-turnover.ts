/** A client's 12-month turnover from each source that states it, and the practice's own figure. */
import { randomUUID } from 'node:crypto';
import type { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { clientTurnovers, users } from '@portal/db/schema/schema.ts';
import { getIdentityState } from '@portal/domain/agent/identity-rules.ts';
import type { ClientFacts } from '@portal/domain/agent/agent-facts.ts';
import {
  listRegistrationTurnovers,
  listTurnovers,
  listTurnoversAbove,
  mayStateTurnover,
  type Turnover,
} from '@portal/domain/agent/turnover.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { findExceededThreshold } from '@portal/domain/uk-tax/vat/registration-thresholds.ts';
import { and, desc, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { ClientTenant } from '../../http/resolve-tenant.ts';
import type { Call } from '../../http/serve-contract.ts';
import { loadFacts } from '../agent/load-facts.ts';
import { recordAudit } from '../audit/record-audit.ts';

/** The rules and the page read the same facts. */
async function getFacts({ database: { db }, clock, site }: AppDeps, { practiceId: companyId, clientId }: ClientTenant) {
  const [facts] = await loadFacts(db, { companyId, today: clock.today(), publicUrl: site.publicUrl }, [clientId]);
  if (!facts) throw createNotFoundError();
  return facts;
}

export async function getTurnover(deps: AppDeps, tenant: ClientTenant): Promise<EndpointOutput<typeof clientDashboardApi.turnover>> {
  const facts = await getFacts(deps, tenant);
  const entries = await deps.database.db
    .selectDistinctOn([clientTurnovers.endOn], {
      endOn: clientTurnovers.endOn,
      enteredBy: users.fullName,
      importId: clientTurnovers.importId,
    })
    .from(clientTurnovers)
    .innerJoin(users, eq(users.id, clientTurnovers.enteredBy))
    .where(and(eq(clientTurnovers.companyId, tenant.practiceId), eq(clientTurnovers.clientId, tenant.clientId)))
    .orderBy(clientTurnovers.endOn, desc(clientTurnovers.knownAt), clientTurnovers.id);
  const today = deps.clock.today();
  const counting = listCounting(facts, today);
  const turnoversAbove = facts.is_vat_registered ? [] : listTurnoversAbove(counting);
  const turnovers = listShownTurnovers(facts, today, turnoversAbove).map((shownTurnover) => {
    const { source, start, end, turnover_pence: amount, fact } = shownTurnover;
    const entry = source === 'practice' ? entries.find(({ endOn }) => endOn === end) : undefined;
    return {
      source,
      is_from_hmrc: fact.source === 'hmrc',
      turnover_pence: pence(amount),
      start_on: start,
      end_on: end,
      as_of: fact.as_of,
      entered_by: entry?.enteredBy ?? null,
      is_imported: (entry?.importId ?? null) !== null,
      counts: counting.some((turnover) => isSame(turnover, shownTurnover)),
      exceeded_threshold_pence: turnoversAbove.some((turnover) => isSame(turnover, shownTurnover))
        ? (findExceededThreshold(end, amount)?.registration_pence ?? null)
        : null,
    };
  });
  return { turnovers, is_vat_registered: facts.is_vat_registered };
}

const isSame = (a: Turnover, b: Turnover): boolean => a.source === b.source && a.end === b.end;

/** Lists the figures that the assistant's rules use. */
const listCounting = (facts: ClientFacts, today: PlainDate): Turnover[] =>
  facts.is_vat_registered ? listTurnovers(facts, today).slice(0, 1) : listRegistrationTurnovers(facts, today);

/** Lists the newest figure of each source, and of those above the threshold the earliest and the highest, newest first. */
function listShownTurnovers(facts: ClientFacts, today: PlainDate, turnoversAbove: readonly Turnover[]): Turnover[] {
  const all = listTurnovers(facts, today);
  const newestTurnovers = all.filter((turnover, index) => all.findIndex(({ source }) => source === turnover.source) === index);
  const highestTurnovers = turnoversAbove.toSorted((a, b) => b.turnover_pence - a.turnover_pence).slice(0, 1);
  const addedTurnovers = [...turnoversAbove.slice(0, 1), ...highestTurnovers].filter(
    (turnover, index, list) => list.findIndex((other) => isSame(other, turnover)) === index,
  );
  const olderTurnovers = addedTurnovers.filter((turnover) => !newestTurnovers.some((other) => isSame(other, turnover)));
  return [...newestTurnovers, ...olderTurnovers].toSorted((a, b) => (a.end < b.end ? 1 : a.end > b.end ? -1 : 0));
}

export async function enterTurnover(
  deps: AppDeps,
  { input, tenant, actor, caller }: Call<typeof clientDashboardApi.enterTurnover>,
): Promise<{ done: true }> {
  const { practiceId: companyId, clientId } = tenant;
  const { turnover_pence: turnoverPence, end_on: endOn } = input;
  const today = deps.clock.today();
  const facts = await getFacts(deps, tenant);
  // A figure above the threshold counts however old it is, so it can be corrected.
  if (!mayStateTurnover(endOn, today) && !listCounting(facts, today).some(({ end }) => end === endOn)) {
    const text = 'Choose the last day of one of the last six months, or of a month above the VAT registration threshold.';
    throw new AppError('invalid', 'input.invalid', text, { field: 'end_on' });
  }
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    const turnover = { companyId, clientId, id: randomUUID(), source: 'practice' as const, endOn, turnoverPence };
    await tx.insert(clientTurnovers).values({ ...turnover, wasRegistered: facts.is_vat_registered, enteredBy: actor.userId, knownAt: at });
    const after = { turnover_pence: turnoverPence, end_on: endOn };
    await recordAudit(tx, {
      companyId,
      at,
      actor: actor.userId,
      action: 'client.turnover_entered',
      subject: clientId,
      after,
      ip: caller.ip,
    });
  });
  return { done: true };
}

export async function listRegisterPeople(
  deps: AppDeps,
  tenant: ClientTenant,
): Promise<EndpointOutput<typeof clientDashboardApi.registerPeople>> {
  const { register_people: register } = await getFacts(deps, tenant);
  if (!register) return { people: null, read_on: null };
  const people = register.people.map((person) => {
    const { name, role, opens_on, due_on, supplied_on } = person;
    return { name, role, identity: getIdentityState(person, deps.clock.today()), opens_on, due_on, supplied_on };
  });
  return { people, read_on: register.read_on };
}
