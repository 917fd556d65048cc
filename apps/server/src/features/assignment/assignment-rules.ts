/** Lists and saves the practice's rules that assign the clients created by an import. */
import { createHash } from 'node:crypto';
import type { AssignmentRule as WireRule } from '@portal/contract/assignment-rules.ts';
import type { assignmentApi } from '@portal/contract/assignment.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { assignmentRules, memberships, users } from '@portal/db/schema/schema.ts';
import { and, asc, eq, inArray, sql } from '@portal/db/sql.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { PRACTICE_ROLES } from '@portal/domain/identity/roles.ts';
import { parseRuleValues, type AssignmentRule } from '@portal/domain/team/assignment-rules.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { lockTeam } from '../team/lock-team.ts';

type NamedRule = AssignmentRule & { readonly fullName: string };
type Rules = EndpointOutput<typeof assignmentApi.rules>;

/** Returns the rules in the practice's order. */
export async function loadAssignmentRules(db: Db | Tx, companyId: string): Promise<NamedRule[]> {
  const isMember = and(
    eq(memberships.companyId, assignmentRules.companyId),
    eq(memberships.userId, assignmentRules.userId),
    inArray(memberships.role, PRACTICE_ROLES),
  );
  return db
    .select({
      condition: assignmentRules.condition,
      duty: assignmentRules.duty,
      userId: assignmentRules.userId,
      fullName: users.fullName,
      isActive: sql<boolean>`${memberships.userId} is not null`,
    })
    .from(assignmentRules)
    .innerJoin(users, eq(users.id, assignmentRules.userId))
    .leftJoin(memberships, isMember)
    .where(eq(assignmentRules.companyId, companyId))
    .orderBy(asc(assignmentRules.position));
}

export function toWireRule({ condition, duty, userId, fullName, isActive }: NamedRule): WireRule {
  return { by: condition.by, values: [...condition.values], duty, user_id: userId, full_name: fullName, is_active: isActive };
}

export async function listAssignmentRules(db: Db | Tx, companyId: string): Promise<Rules> {
  const rules = await loadAssignmentRules(db, companyId);
  const storedRules = rules.map(({ condition, duty, userId }) => [condition.by, condition.values, duty, userId]);
  const version = createHash('sha256').update(JSON.stringify(storedRules)).digest('base64url');
  return { rules: rules.map(toWireRule), version };
}

export function saveAssignmentRules(deps: AppDeps, call: Call<typeof assignmentApi.saveRules>): Promise<Rules> {
  const { input, tenant, actor, caller } = call;
  const { practiceId: companyId } = tenant;
  return deps.database.db.transaction(async (tx) => {
    const { members } = await lockTeam(tx, companyId, actor);
    const existing = await listAssignmentRules(tx, companyId);
    if (existing.version !== input.version) {
      const message =
        'Someone changed the rules after you opened them, so your changes weren’t saved. Reload the page to see the current rules.';
      throw new AppError('conflict', 'assignment_rules.changed_since', message);
    }
    // Keep a rule whose member has left, so that saving the other rules doesn't require a decision about it.
    const knownUserIds = new Set([...members.map(({ userId }) => userId), ...existing.rules.map(({ user_id: userId }) => userId)]);
    const rows = input.rules.map(({ by, values: valueTexts, duty, user_id: userId }, position) => {
      const values = parseRuleValues(by, valueTexts);
      if (!values.ok) throw createInvalidFieldError('rules', `Rule ${position + 1}: ${values.reason}`);
      if (!knownUserIds.has(userId)) throw createInvalidFieldError('rules', `Rule ${position + 1}: choose someone in your practice.`);
      return { companyId, position, condition: { by, values: values.value }, duty, userId };
    });
    await tx.delete(assignmentRules).where(eq(assignmentRules.companyId, companyId));
    if (rows.length > 0) await tx.insert(assignmentRules).values(rows);
    const after = await listAssignmentRules(tx, companyId);
    await recordAudit(tx, {
      companyId,
      at: deps.clock.now(),
      actor: actor.userId,
      action: 'assignment_rules.saved',
      subject: companyId,
      before: existing.rules.map(omitNames),
      after: after.rules.map(omitNames),
      ip: caller.ip,
    });
    return after;
  });
}

function omitNames({ by, values, duty, user_id: userId }: WireRule) {
  return { by, values, duty, user_id: userId };
}
