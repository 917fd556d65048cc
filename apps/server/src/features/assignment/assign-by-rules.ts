/** Assigns clients that an import has just created, in the import's transaction. */
import type { Tx } from '@portal/db/database.ts';
import { sql } from '@portal/db/sql.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { Duty } from '@portal/domain/clients/client.ts';
import { findMatchingRules, type AssignmentRule, type AssignableClient } from '@portal/domain/team/assignment-rules.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { lockTeamMembership } from '../team/lock-team.ts';
import { loadAssignmentRules } from './assignment-rules.ts';

/** Also locks the team's membership. */
export async function lockAssignmentRules(tx: Tx, companyId: string): Promise<readonly AssignmentRule[]> {
  await lockTeamMembership(tx, companyId);
  return loadAssignmentRules(tx, companyId);
}

type NewClients = {
  readonly companyId: string;
  /** When the clients were created. Undoing the import recognises its assignments by this time. */
  readonly at: Instant;
  readonly actor: string;
  readonly clients: readonly (AssignableClient & { readonly id: string })[];
};

export async function assignByRules(
  tx: Tx,
  rules: readonly AssignmentRule[],
  { companyId, at, actor, clients }: NewClients,
): Promise<void> {
  if (rules.length === 0) return;
  const byMember = new Map<string, { readonly userId: string; readonly duty: Duty; readonly ids: string[] }>();
  for (const client of clients) {
    for (const index of findMatchingRules(rules, client)) {
      const rule = rules[index];
      if (rule === undefined) continue;
      const key = `${rule.userId} ${rule.duty}`;
      const memberAssignment = byMember.get(key) ?? { userId: rule.userId, duty: rule.duty, ids: [] };
      memberAssignment.ids.push(client.id);
      byMember.set(key, memberAssignment);
    }
  }
  const rows = [...byMember.values()].flatMap(({ userId, duty, ids }) => ids.map((id) => ({ id, user: userId, duty })));
  if (rows.length === 0) return;
  await tx.execute(sql`
    insert into client_members (company_id, client_id, user_id, duty, assigned_at)
    select ${companyId}::uuid, n.id, n."user", n.duty, ${at}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(id uuid, "user" uuid, duty text)`);
  for (const { userId, duty, ids } of byMember.values()) {
    const after = { user_id: userId, duty, client_ids: ids, by: 'rule' };
    await recordAudit(tx, { companyId, at, actor, action: 'clients.assigned', subject: toSubject(ids), after });
  }
}

/** Returns the audit subject of an assignment: the ID of a single client, otherwise the number of clients. */
function toSubject(ids: readonly string[]): string {
  return ids.length === 1 ? (ids[0] ?? '') : `${ids.length} clients`;
}
