import { PRACTICE_ROLES } from '@portal/domain/identity/roles.ts';
import type { clientsApi } from '@portal/contract/clients.ts';
import type { Db } from '@portal/db/database.ts';
import { memberships, users } from '@portal/db/schema/schema.ts';
import { and, eq, inArray } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { assignClients, setClientStatus } from './change-clients.ts';
import { countClients } from './client-count-queries.ts';
import { prepareClientList } from './list-clients.ts';
import { getChange, listChanges, startUndo } from './undo-change.ts';
import { toWireRole } from '../team/team-access.ts';
import { createClient, editClient, getClientFacts } from './save-client.ts';
import { changeView, listViews, removeView, saveView } from './saved-views.ts';

export function clientsHandlers(deps: AppDeps): Handlers<typeof clientsApi> {
  const { db } = deps.database;
  const listClients = prepareClientList(db);
  return {
    list: ({ input, tenant, actor }) => listClients(tenant.practiceId, actor, input, deps.clock.today()),
    count: ({ input, tenant, actor }) => countClients(db, tenant.practiceId, actor, input, deps.clock.today()),
    find: ({ tenant }) => getClientFacts(db, tenant.practiceId, tenant.clientId),
    create: (call) => createClient(deps, call),
    edit: (call) => editClient(deps, call),
    setStatus: (call) => setClientStatus(deps, call),
    assign: (call) => assignClients(deps, call),
    changes: (call) => listChanges(deps, call),
    change: (call) => getChange(deps, call),
    undoChange: (call) => startUndo(deps, call),
    members: async ({ tenant, actor }) => ({ members: await listMembers(db, tenant.practiceId, actor.userId) }),
    savedViews: (call) => listViews(deps, call),
    saveView: (call) => saveView(deps, call),
    changeView: (call) => changeView(deps, call),
    removeView: (call) => removeView(deps, call),
  };
}

async function listMembers(db: Db, companyId: string, currentUserId: string) {
  const rows = await db
    .select({ userId: users.id, fullName: users.fullName, role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.companyId, companyId), inArray(memberships.role, PRACTICE_ROLES)))
    .orderBy(users.fullName, users.id);
  return rows.map((row) => ({
    user_id: row.userId,
    full_name: row.fullName,
    role: toWireRole(row.role),
    is_you: row.userId === currentUserId,
  }));
}
