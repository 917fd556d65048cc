import type { deskApi } from '@portal/contract/desk.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { assignAdvances, listOperators } from './assign-advances.ts';
import { addNote, listNotes } from './desk-notes.ts';
import { listDeskViews, removeDeskView, saveDeskView } from './desk-views.ts';
import { listDesk } from './list-desk.ts';
import { measurePromiseByDay, summariseDesk } from './summarise-desk.ts';

export function deskHandlers(deps: AppDeps): Handlers<typeof deskApi> {
  return {
    list: ({ input, actor }) => listDesk(deps, { now: deps.clock.now(), me: actor.userId }, input),
    summary: ({ input, actor }) => summariseDesk(deps, { now: deps.clock.now(), me: actor.userId }, input),
    promise: ({ input }) => measurePromiseByDay(deps, input.days),
    operators: ({ actor }) => listOperators(deps, actor.userId),
    assign: (call) => assignAdvances(deps, call),
    notes: ({ input }) => listNotes(deps, input.company_id, input.subject_id),
    addNote: (call) => addNote(deps, call),
    views: ({ actor }) => listDeskViews(deps, actor.userId),
    saveView: (call) => saveDeskView(deps, call),
    removeView: (call) => removeDeskView(deps, call),
  };
}
