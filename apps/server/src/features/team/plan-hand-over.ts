/** Who takes over a leaver's clients: planned for the preview, and again for the deactivation that follows. */
import { createHash } from 'node:crypto';
import type { EndpointOutput, ParsedEndpointInput } from '@portal/contract/endpoint.ts';
import type { teamApi } from '@portal/contract/team.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientMembers, clients } from '@portal/db/schema/schema.ts';
import { and, asc, eq, sql } from '@portal/db/sql.ts';
import { createInvalidFieldError } from '@portal/domain/app-error.ts';
import { DUTIES, type Duty } from '@portal/domain/clients/client.ts';
import { assertMayLeave } from '@portal/domain/team/member-rules.ts';
import { planHandOver, type HandOverChoice, type PlannedDuty } from '@portal/domain/team/plan-hand-over.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { getMember, lockTeam, type LockedTeam } from './lock-team.ts';

/** The preview shows the first rows; search finds the others. */
const MAX_ROWS = 100;

type HandOverInput = Pick<ParsedEndpointInput<typeof teamApi.deactivate>, 'user_id' | 'successors' | 'shared' | 'exceptions'>;
type NamedDuty = PlannedDuty & { readonly name: string };
type HandOverPlan = { readonly duties: readonly NamedDuty[]; readonly plan: string };

export async function previewHandOver(
  deps: AppDeps,
  { input, tenant, actor }: Call<typeof teamApi.previewHandOver>,
): Promise<EndpointOutput<typeof teamApi.previewHandOver>> {
  const { practiceId: companyId } = tenant;
  const { duties, plan } = await deps.database.db.transaction(async (tx) => {
    const team = await lockTeam(tx, companyId, actor);
    assertMayLeave({ actorId: actor.userId, userId: getMember(team, input.user_id).userId, ownerId: team.ownerId });
    return planHandOverOfDuties(tx, companyId, team, input);
  });
  const words = (input.q ?? '').toLowerCase();
  const matchingDuties = duties.filter(({ name }) => name.toLowerCase().includes(words));
  return {
    counts: countDutiesByMember(duties),
    rows: matchingDuties.slice(0, MAX_ROWS).map(({ clientId, name, duty, toId }) => ({ client_id: clientId, name, duty, user_id: toId })),
    rows_total: matchingDuties.length,
    plan,
  };
}

export async function planHandOverOfDuties(
  tx: Tx,
  companyId: string,
  { members }: LockedTeam,
  input: HandOverInput,
): Promise<HandOverPlan> {
  const heldDuties = await tx
    .select({ clientId: clientMembers.clientId, duty: clientMembers.duty, name: clients.name })
    .from(clientMembers)
    .innerJoin(clients, and(eq(clients.companyId, clientMembers.companyId), eq(clients.id, clientMembers.clientId)))
    .where(and(eq(clientMembers.companyId, companyId), eq(clientMembers.userId, input.user_id)))
    .orderBy(asc(sql`lower(${clients.name})`), asc(clientMembers.clientId), asc(clientMembers.duty));
  const choice = toChoice(input);
  const plannedDuties = planHandOver(input.user_id, heldDuties, choice);
  const memberIds = new Set(members.map(({ userId }) => userId));
  if (!listPeople(choice).every((id) => id === null || memberIds.has(id)))
    throw createInvalidFieldError('successors', 'Choose someone in your practice to take over.');
  const names = new Map(heldDuties.map(({ clientId, name }) => [clientId, name]));
  const lines = plannedDuties.map(({ clientId, duty, toId }) => `${clientId} ${duty} ${toId}`);
  return {
    duties: plannedDuties.map((one) => ({ ...one, name: names.get(one.clientId) ?? '' })),
    plan: createHash('sha256').update(lines.toSorted().join('\n')).digest('base64url').slice(0, 22),
  };
}

function toChoice({ successors, shared, exceptions = [] }: HandOverInput): HandOverChoice {
  return {
    successors,
    shared,
    exceptions: exceptions.map(({ client_id: clientId, duty, user_id: toId }) => ({ clientId, duty, toId })),
  };
}

function listPeople({ successors, shared = {}, exceptions = [] }: HandOverChoice): (string | null)[] {
  return [...Object.values(successors), ...Object.values(shared).flat(), ...exceptions.map(({ toId }) => toId)].map((id) => id ?? null);
}

/** Groups the planned duties by duty and member, each with its clients. */
export function groupDutiesByMember(
  duties: readonly PlannedDuty[],
): { readonly duty: Duty; readonly toId: string | null; readonly clientIds: string[] }[] {
  return DUTIES.flatMap((duty) => {
    const dutyRows = duties.filter((one) => one.duty === duty);
    return [...Map.groupBy(dutyRows, ({ toId }) => toId)].map(([toId, rows]) => ({
      duty,
      toId,
      clientIds: rows.map(({ clientId }) => clientId),
    }));
  });
}

function countDutiesByMember(duties: readonly PlannedDuty[]) {
  return groupDutiesByMember(duties).map(({ duty, toId, clientIds }) => ({ duty, user_id: toId, clients: clientIds.length }));
}
