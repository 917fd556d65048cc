/** Runs a user's long-running work one piece at a time, so that no user can monopolise the processor or the database's connections. */
import { AppError } from '@portal/domain/app-error.ts';
import pLimit, { type LimitFunction } from 'p-limit';

const MAX_WAITING = 10;

type Queue = { readonly run: LimitFunction; size: number };
const queues = new Map<string, Queue>();

/** Waits for the user's earlier work. Throws `tooMany` if ten pieces are already waiting. */
export async function runOneAtATime<Result>(userId: string, work: () => Promise<Result>): Promise<Result> {
  const queue = queues.get(userId) ?? { run: pLimit(1), size: 0 };
  if (queue.size > MAX_WAITING) {
    const sentence = 'You’ve started this too many times at once. Wait until the earlier requests have finished, then try again.';
    throw new AppError('tooMany', 'request.too_many_at_once', `${sentence} Nothing you’ve entered has been lost.`);
  }
  queues.set(userId, queue);
  queue.size += 1;
  try {
    return await queue.run(work);
  } finally {
    queue.size -= 1;
    if (queue.size === 0) queues.delete(userId);
  }
}
