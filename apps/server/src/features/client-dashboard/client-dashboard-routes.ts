import type { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { listBooks, sayBooks } from './client-books.ts';
import { addNote, listNotes } from './client-notes.ts';
import { findProfile, listCompanies } from './read-profile.ts';
import { readTimeline } from './read-timeline.ts';

export function clientDashboardHandlers(deps: AppDeps): Handlers<typeof clientDashboardApi> {
  const { db } = deps.database;
  return {
    profile: async ({ input }) => ({
      ...(await findProfile(db, input.company_id, input.client_id)),
      today: deps.clock.today(),
    }),
    companies: ({ input, actor }) => listCompanies(db, actor, input),
    notes: async ({ input }) => ({ notes: await listNotes(db, input.company_id, input.client_id) }),
    addNote: (call) => addNote(deps, call),
    books: async ({ input }) => ({ balances: await listBooks(db, input.company_id, input.client_id) }),
    sayBooks: (call) => sayBooks(deps, call),
    timeline: async ({ input }) => ({ entries: await readTimeline(db, input.company_id, input.client_id) }),
  };
}
