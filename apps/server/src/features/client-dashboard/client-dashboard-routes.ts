import type { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { repeatClientEmail } from '../client-emails/repeat-client-email.ts';
import { prepareFindClients } from '../clients/find-clients.ts';
import { listBookBalances, recordBookBalance } from './client-books.ts';
import { addContact, editContact, listContacts, removeContact } from './client-contacts.ts';
import { addNote, editNote, listNotes, pinNote } from './client-notes.ts';
import { getProfile, hidePracticeFacts } from './client-profile-queries.ts';
import { findOwnClients } from './find-own-clients.ts';
import { listPracticeTags, setTags } from './client-tags.ts';
import { enterTurnover, getTurnover, listRegisterPeople } from './client-turnover.ts';
import { listTimeline } from './client-timeline-queries.ts';

export function clientDashboardHandlers(deps: AppDeps): Handlers<typeof clientDashboardApi> {
  const { db } = deps.database;
  const findClients = prepareFindClients(db);
  return {
    profile: async ({ tenant, actor }) => {
      const profile = await getProfile(db, { companyId: tenant.practiceId, clientId: tenant.clientId, actor }, deps.clock.today());
      return actor.role === 'client' ? hidePracticeFacts(profile) : profile;
    },
    companies: async ({ input, tenant, actor }) =>
      tenant.kind === 'client' ? findOwnClients(db, actor.userId, input) : findClients(tenant.practiceId, actor, input, deps.clock.today()),
    notes: async ({ tenant, actor }) => ({ notes: await listNotes(db, tenant, actor) }),
    addNote: (call) => addNote(deps, call),
    editNote: (call) => editNote(deps, call),
    pinNote: (call) => pinNote(deps, call),
    contacts: async ({ tenant }) => ({ contacts: await listContacts(db, tenant) }),
    addContact: (call) => addContact(deps, call),
    editContact: (call) => editContact(deps, call),
    removeContact: (call) => removeContact(deps, call),
    practiceTags: async ({ tenant, actor }) => ({ tags: await listPracticeTags(db, tenant.practiceId, actor) }),
    setTags: (call) => setTags(deps, call),
    books: async ({ tenant }) => ({ balances: await listBookBalances(db, tenant.practiceId, tenant.clientId) }),
    addBooksBalance: (call) => recordBookBalance(deps, call),
    turnover: ({ tenant }) => getTurnover(deps, tenant),
    enterTurnover: (call) => enterTurnover(deps, call),
    registerPeople: ({ tenant }) => listRegisterPeople(deps, tenant),
    repeatEmail: (call) => repeatClientEmail(deps, call),
    timeline: async ({ tenant, actor }) => ({ entries: await listTimeline(db, tenant.practiceId, tenant.clientId, actor) }),
  };
}
