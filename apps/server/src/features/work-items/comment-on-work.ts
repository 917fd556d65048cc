/** Comments on a task. Notifies mentioned colleagues who can see it, up to a limit per author. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { workItemsApi } from '@portal/contract/work-items.ts';
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientMembers, memberships, users, workItemComments, type workItems } from '@portal/db/schema/schema.ts';
import { and, count, eq, gt, sql } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { findMentions, MAX_MENTION_EMAILS_PER_HOUR, MAX_WORK_COMMENTS } from '@portal/domain/work-items/work-item.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { notify } from '../staff-notifications/notify.ts';
import { COMMENTED_ACTION } from './client-comments.ts';
import { recordWork } from './save-work-item.ts';
import { lockWorkItem } from './visible-work-items.ts';

type CommentCall = Call<typeof workItemsApi.comment>;
type Result = EndpointOutput<typeof workItemsApi.comment>;
type Item = typeof workItems.$inferSelect;

export function commentOnWork(deps: AppDeps, call: CommentCall): Promise<Result> {
  const { input, tenant, actor } = call;
  const { practiceId: companyId } = tenant;
  const writtenAt = deps.clock.now();
  return deps.database.db.transaction(async (tx) => {
    const item = await lockWorkItem(tx, companyId, actor, input.item_id);
    await assertBelowLimit(tx, item);
    // Lock the author's row, so that the count of this hour's emails is exact.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, actor.userId)).for('no key update');
    const mentionedUsers = await listMentionedColleagues(tx, item, input.text, actor.userId);
    const remaining = MAX_MENTION_EMAILS_PER_HOUR - (await countEmailedMentions(deps, tx, companyId, actor.userId));
    const notifiedMembers = mentionedUsers.filter(({ maySee }) => maySee).slice(0, Math.max(remaining, 0));
    const insertedComments = await tx
      .insert(workItemComments)
      .values({
        companyId,
        workItemId: item.id,
        id: input.comment_id,
        authorId: actor.userId,
        text: input.text,
        writtenAt,
        emailed: notifiedMembers.length,
      })
      .onConflictDoNothing()
      .returning({ id: workItemComments.id });
    // The same request, repeated.
    if (insertedComments.length === 0) return { notified: [], not_notified: [] };
    await recordWork(deps, tx, call, { action: COMMENTED_ACTION, item });
    await notifyMentioned(
      deps,
      tx,
      call,
      item,
      notifiedMembers.map(({ userId }) => userId),
    );
    return {
      notified: notifiedMembers.map(({ name }) => name),
      not_notified: mentionedUsers.filter((item) => !notifiedMembers.includes(item)).map(({ name }) => name),
    };
  });
}

async function assertBelowLimit(tx: Tx, { companyId, id }: Item): Promise<void> {
  const [{ comments } = { comments: 0 }] = await tx
    .select({ comments: count() })
    .from(workItemComments)
    .where(and(eq(workItemComments.companyId, companyId), eq(workItemComments.workItemId, id)));
  if (comments < MAX_WORK_COMMENTS) return;
  throw new AppError(
    'conflict',
    'work_item.too_many_comments',
    `A task can have at most ${MAX_WORK_COMMENTS} comments. Add to its notes instead.`,
  );
}

/** Leaves out the author. `maySee`: the member can see the task through their role or its client, or as its owner. */
async function listMentionedColleagues(tx: Tx, item: Item, text: string, authorId: string) {
  const colleagues = await tx
    .select({
      userId: users.id,
      fullName: users.fullName,
      role: memberships.role,
      isAssigned: sql<boolean>`exists (select from ${clientMembers} where ${clientMembers.companyId} = ${memberships.companyId}
        and ${clientMembers.userId} = ${memberships.userId} and ${clientMembers.clientId} = ${item.clientId}::uuid)`,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(memberships.companyId, item.companyId));
  const mentionedUsers = new Set(findMentions(text, colleagues));
  return colleagues
    .filter(({ userId }) => userId !== authorId && mentionedUsers.has(userId))
    .map(({ userId, fullName, role, isAssigned }) => ({
      userId,
      name: fullName,
      maySee: role === 'practice_admin' || (item.clientId === null ? userId === item.ownerId || userId === item.createdBy : isAssigned),
    }));
}

async function countEmailedMentions({ clock }: AppDeps, tx: Tx, companyId: string, authorId: string): Promise<number> {
  const [{ emailed } = { emailed: 0 }] = await tx
    .select({ emailed: sql`coalesce(sum(${workItemComments.emailed}), 0)`.mapWith(Number) })
    .from(workItemComments)
    .where(
      and(
        eq(workItemComments.companyId, companyId),
        eq(workItemComments.authorId, authorId),
        gt(workItemComments.writtenAt, addMilliseconds(clock.now(), -3_600_000)),
      ),
    );
  return emailed;
}

/** Leaves out the client's and the task's name, because emails are read and forwarded outside the portal. */
function notifyMentioned(
  deps: AppDeps,
  tx: Tx,
  { input, tenant, actor }: CommentCall,
  item: Item,
  userIds: readonly string[],
): Promise<void> {
  const { practiceId: companyId } = tenant;
  const title = `${actor.fullName} mentioned you in a task`;
  const path = `${PAGES.workItems.path}?company_id=${companyId}&task=${input.item_id}`;
  return notify(deps, tx, companyId, [
    {
      kind: 'mention',
      key: input.comment_id,
      clientId: item.clientId,
      title,
      path,
      userIds,
      email: {
        subject: title,
        preheader: 'Open the task to read the comment.',
        heading: title,
        paragraphs: ['Open the task to read the comment and reply to it.'],
        action: { label: 'Open the task', path },
      },
    },
  ]);
}
