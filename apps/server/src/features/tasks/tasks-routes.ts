import type { tasksApi } from '@portal/contract/tasks.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { preparePendingTasks } from './tasks-queries.ts';

export function tasksHandlers(deps: AppDeps): Handlers<typeof tasksApi> {
  const listPendingTasks = preparePendingTasks(deps);
  return { list: ({ actor }) => listPendingTasks(actor.userId) };
}
