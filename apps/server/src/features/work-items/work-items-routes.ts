import type { workItemsApi } from '@portal/contract/work-items.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { changeWorkItems, restoreWorkItems } from './change-work-items.ts';
import { commentOnWork } from './comment-on-work.ts';
import { createFromTemplate, createWorkItem, saveWorkItem, tickChecklistLine } from './save-work-item.ts';
import { getBoard, getWorkItem, listWorkItems } from './work-items-queries.ts';

export function workItemsHandlers(deps: AppDeps): Handlers<typeof workItemsApi> {
  return {
    list: (call) => listWorkItems(deps, call),
    board: (call) => getBoard(deps, call),
    find: (call) => getWorkItem(deps, call),
    create: (call) => createWorkItem(deps, call),
    createFromTemplate: (call) => createFromTemplate(deps, call),
    save: (call) => saveWorkItem(deps, call),
    check: (call) => tickChecklistLine(deps, call),
    change: (call) => changeWorkItems(deps, call),
    restore: (call) => restoreWorkItems(deps, call),
    comment: (call) => commentOnWork(deps, call),
  };
}
