/** Returns a client's history: audit entries, notes, messages, and changed figures from HMRC and other sources. */
import type { TimelineEntry } from '@portal/contract/client-dashboard.ts';
import type { Db } from '@portal/db/database.ts';
import { auditEntries, clientObservations, clients, users, type ObservationKind } from '@portal/db/schema/schema.ts';
import { and, desc, eq, inArray, notInArray, or, sql, type SQL } from '@portal/db/sql.ts';
import { FILE_OPENED_ACTION } from '../client-files/file-owner.ts';
import { COMMENTED_ACTION, listClientComments } from '../work-items/client-comments.ts';
import { isId } from '../../http/resolve-tenant.ts';
import type { Actor } from '../../http/session.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';
import { listNewestNotes, NOTE_ADDED_ACTION } from './client-notes.ts';
import { listClientEmails } from '../client-emails/list-client-emails.ts';
import { listSentMessages } from '../messages/list-sent-messages.ts';
import { describeChange } from './describe-change.ts';

const MAX_ENTRIES = 100;

const OBSERVATION_TITLES: Readonly<Record<ObservationKind, string>> = {
  vat_obligations: 'HMRC: VAT returns to file changed',
  vat_liabilities: 'HMRC: VAT charges changed',
  vat_payments: 'HMRC: VAT payments changed',
  vat_penalties: 'HMRC: VAT penalties and points changed',
  vat_information: 'HMRC: VAT registration changed',
  sa_balance: 'HMRC: Self Assessment account changed',
  sa_payments: 'HMRC: Self Assessment payments changed',
  sa_obligations: 'HMRC: income tax returns to file changed',
  paye_statement: 'PAYE statement imported',
  ct_statement: 'Corporation tax statement imported',
  vat_returns: 'HMRC: earlier VAT returns read',
  companies_house_profile: 'Companies House: company details changed',
  companies_house_people: 'Companies House: people or identity verification changed',
};

export async function listTimeline(db: Db, companyId: string, clientId: string, actor: Actor): Promise<TimelineEntry[]> {
  const notes = await listNewestNotes(db, { practiceId: companyId, clientId }, MAX_ENTRIES);
  const entries = [
    ...(await listChanges(db, companyId, clientId, actor)),
    ...(await listFigureChanges(db, companyId, clientId)),
    ...(await listSentMessages(db, { practiceId: companyId, clientId }, MAX_ENTRIES)),
    ...(await listClientEmails(db, { practiceId: companyId, clientId }, MAX_ENTRIES)),
    ...(await listClientComments(db, { practiceId: companyId, clientId }, MAX_ENTRIES)),
    ...notes.map((note) => ({
      key: note.note_id,
      at: note.written_at,
      kind: 'note' as const,
      title: 'Note',
      detail: note.text,
      who: note.author,
    })),
  ];
  return entries.toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, MAX_ENTRIES);
}

async function listChanges(db: Db, companyId: string, clientId: string, actor: Actor): Promise<TimelineEntry[]> {
  const rows = await db
    .select()
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.companyId, companyId),
        // Notes and comments are shown with their text instead; opened files belong only in the audit trail.
        notInArray(auditEntries.action, [NOTE_ADDED_ACTION, COMMENTED_ACTION, FILE_OPENED_ACTION]),
        // A bulk change is one audit entry that lists the IDs of all its clients.
        or(eq(auditEntries.subject, clientId), isInBulkChange(clientId)),
      ),
    )
    .orderBy(desc(auditEntries.sequence))
    .limit(MAX_ENTRIES);
  const describedChanges = rows.map((row) => ({ row, change: describeChange(row.action, row.after, row.before) }));
  const names = await loadUserNames(
    db,
    describedChanges.flatMap(({ row, change }) => [row.actor, change.personId ?? '']),
  );
  const clientNames = await loadClientNames(
    db,
    companyId,
    describedChanges.flatMap(({ change }) => change.representativeId ?? []),
    actor,
  );
  return describedChanges.map(({ row, change }) => ({
    key: `audit-${row.sequence}`,
    at: row.at,
    kind: 'change',
    title: change.title,
    detail:
      change.personId === undefined
        ? addRepresentative(change.detail, clientNames.get(change.representativeId ?? ''))
        : `${names.get(change.personId) ?? 'Former team member'}, ${change.detail ?? ''}`,
    who: names.get(row.actor) ?? (row.actor === 'hmrc' ? 'HMRC' : null),
  }));
}

function addRepresentative(detail: string | null, name: string | undefined): string | null {
  if (name === undefined) return detail;
  return [...(detail === null ? [] : [detail]), `representative member ${name}`].join(', ');
}

/** Returns the present names of the clients that the user may see. */
async function loadClientNames(db: Db, companyId: string, ids: readonly string[], actor: Actor): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const isVisible = isVisibleTo(actor, clients.companyId, clients.id);
  const rows = await db
    .select({ id: clients.id, name: clients.name })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), inArray(clients.id, [...new Set(ids)]), isVisible));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The expressions must match the partial index audit_entries_clients, otherwise PostgreSQL does not use it. */
function isInBulkChange(clientId: string): SQL | undefined {
  const ids = sql`${auditEntries.after} -> 'client_ids'`;
  return and(sql`${ids} is not null`, sql`${ids} @> ${JSON.stringify([clientId])}::jsonb`);
}

async function listFigureChanges(db: Db, companyId: string, clientId: string): Promise<TimelineEntry[]> {
  const rows = await db
    .select({ kind: clientObservations.kind, at: clientObservations.takenAt })
    .from(clientObservations)
    .where(and(eq(clientObservations.companyId, companyId), eq(clientObservations.clientId, clientId)))
    .orderBy(desc(clientObservations.takenAt))
    .limit(MAX_ENTRIES);
  return rows.map(({ kind, at }) => ({
    key: `${kind}-${at}`,
    at,
    kind: 'figures',
    title: OBSERVATION_TITLES[kind],
    detail: null,
    who: null,
  }));
}

async function loadUserNames(db: Db, actors: readonly string[]): Promise<Map<string, string>> {
  const ids = [...new Set(actors.filter(isId))];
  if (ids.length === 0) return new Map();
  const rows = await db.select({ id: users.id, name: users.fullName }).from(users).where(inArray(users.id, ids));
  return new Map(rows.map(({ id, name }) => [id, name]));
}
