/** Transfers the clients of one member to another, for one duty or for all. */
import type { assignmentApi } from '@portal/contract/assignment.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { createInvalidFieldError } from '@portal/domain/app-error.ts';
import { DUTIES } from '@portal/domain/clients/client.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { saveChange } from '../clients/undo-change.ts';
import { upsertClientRows } from '../clients/upsert-client-rows.ts';
import { enqueueTotals, refreshTotalsOfUsers } from '../positions/refresh-totals.ts';
import { recordHandOver } from '../team/deactivate-member.ts';
import { handOverDuty, lockMemberClients } from '../team/hand-over.ts';
import { lockTeam } from '../team/lock-team.ts';

type Result = EndpointOutput<typeof assignmentApi.handOver>;

export async function handOverClients(deps: AppDeps, call: Call<typeof assignmentApi.handOver>): Promise<Result> {
  const { input, tenant, actor } = call;
  const { practiceId: companyId } = tenant;
  const { from_user_id: fromId, user_id: toId } = input;
  if (fromId === toId) throw createInvalidFieldError('user_id', 'Choose someone else.');
  const madeAt = deps.clock.now();
  const result = await deps.database.db.transaction(async (tx) => {
    const { members } = await lockTeam(tx, companyId, actor);
    for (const [field, id] of Object.entries({ from_user_id: fromId, user_id: toId }))
      if (!members.some(({ userId }) => userId === id)) throw createInvalidFieldError(field, 'Choose someone in your practice.');
    await lockMemberClients(tx, companyId, fromId);
    const movedClients = new Set<string>();
    const changes: Result['changes'] = [];
    for (const duty of input.duty === undefined ? DUTIES : [input.duty]) {
      const ids = await handOverDuty(tx, { companyId, fromId, toId, duty, at: madeAt });
      if (ids.length === 0) continue;
      for (const id of ids) movedClients.add(id);
      const to = { user_id: toId, from_user_id: fromId, duty };
      const clients = ids.map((id) => ({ id, was: null }));
      const changeId = await saveChange(tx, { companyId, madeBy: actor.userId, madeAt, kind: 'hand_over', to, clients });
      changes.push({ change_id: changeId, duty, clients: ids.length });
      await recordHandOver(deps, tx, call, { fromId, toId, duty, ids });
    }
    await upsertClientRows(tx, companyId, [...movedClients]);
    if (movedClients.size > 0) await enqueueTotals(deps, tx, companyId);
    return { changed: movedClients.size, changes };
  });
  if (result.changed > 0) await refreshTotalsOfUsers(deps, companyId, [fromId, toId]);
  return result;
}
