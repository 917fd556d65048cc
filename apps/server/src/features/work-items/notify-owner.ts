/** Notifies a member about tasks that a colleague has assigned to them. */
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import type { workItems } from '@portal/db/schema/schema.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { notify } from '../staff-notifications/notify.ts';

type AssignedWork = Pick<typeof workItems.$inferSelect, 'id' | 'clientId' | 'title' | 'version'>;
type Assignment = { readonly ownerId: string | null; readonly items: readonly AssignedWork[] };

export async function notifyOwner(
  deps: AppDeps,
  tx: Tx,
  { tenant, actor }: { readonly tenant: { readonly practiceId: string }; readonly actor: Actor },
  { ownerId, items }: Assignment,
): Promise<void> {
  const [first] = items;
  if (ownerId === null || ownerId === actor.userId || !first) return;
  const { practiceId: companyId } = tenant;
  const isOne = items.length === 1;
  const pagePath = `${PAGES.workItems.path}?company_id=${companyId}`;
  await notify(deps, tx, companyId, [
    {
      kind: 'task_assigned',
      key: `${first.id} ${first.version} ${items.length}`,
      clientId: isOne ? first.clientId : null,
      title: isOne ? `${actor.fullName} assigned a task to you: ${first.title}` : `${actor.fullName} assigned ${items.length} tasks to you`,
      path: isOne ? `${pagePath}&task=${first.id}` : pagePath,
      userIds: [ownerId],
    },
  ]);
}
