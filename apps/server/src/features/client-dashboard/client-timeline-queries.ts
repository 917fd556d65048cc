/** A client's history: audit entries, notes, and changed figures from HMRC and other sources. */
import type { TimelineEntry } from '@portal/contract/client-dashboard.ts';
import type { Db } from '@portal/db/database.ts';
import { auditEntries, clientObservations, users, type ObservationKind } from '@portal/db/schema/schema.ts';
import { and, desc, eq, inArray, ne, or, sql, type SQL } from 'drizzle-orm';
import { isId } from '../../http/resolve-tenant.ts';
import { listNotes, NOTE_ADDED } from './client-notes.ts';
import { tellChange } from './tell-change.ts';

const NEWEST = 100;

const SAID: Readonly<Record<ObservationKind, string>> = {
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
  companies_house_profile: 'Companies House: company details changed',
};

export async function listTimeline(db: Db, companyId: string, clientId: string): Promise<TimelineEntry[]> {
  const notes = await listNotes(db, companyId, clientId, NEWEST);
  const entries = [
    ...(await listChanges(db, companyId, clientId)),
    ...(await listFigures(db, companyId, clientId)),
    ...notes.map((note) => ({
      key: note.note_id,
      at: note.written_at,
      kind: 'note' as const,
      title: 'Note',
      detail: note.text,
      who: note.author,
    })),
  ];
  return entries.toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, NEWEST);
}

async function listChanges(db: Db, companyId: string, clientId: string): Promise<TimelineEntry[]> {
  const rows = await db
    .select()
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.companyId, companyId),
        ne(auditEntries.action, NOTE_ADDED),
        // A bulk change is one audit entry that lists the IDs of all its clients.
        or(eq(auditEntries.subject, clientId), namesAmongMany(clientId)),
      ),
    )
    .orderBy(desc(auditEntries.sequence))
    .limit(NEWEST);
  const told = rows.map((row) => ({ row, change: tellChange(row.action, row.after, row.before) }));
  const names = await namesOf(
    db,
    told.flatMap(({ row, change }) => [row.actor, change.person ?? '']),
  );
  return told.map(({ row, change }) => ({
    key: `audit-${row.sequence}`,
    at: row.at,
    kind: 'change',
    title: change.title,
    detail: change.person === undefined ? change.detail : `${names.get(change.person) ?? 'A person who has left'}, ${change.detail ?? ''}`,
    who: names.get(row.actor) ?? (row.actor === 'hmrc' ? 'HMRC' : null),
  }));
}

/** The expressions must match the partial index audit_entries_clients, otherwise PostgreSQL does not use it. */
function namesAmongMany(clientId: string): SQL | undefined {
  const ids = sql`${auditEntries.after} -> 'client_ids'`;
  return and(sql`${ids} is not null`, sql`${ids} @> ${JSON.stringify([clientId])}::jsonb`);
}

async function listFigures(db: Db, companyId: string, clientId: string): Promise<TimelineEntry[]> {
  const rows = await db
    .select({ kind: clientObservations.kind, at: clientObservations.takenAt })
    .from(clientObservations)
    .where(and(eq(clientObservations.companyId, companyId), eq(clientObservations.clientId, clientId)))
    .orderBy(desc(clientObservations.takenAt))
    .limit(NEWEST);
  return rows.map(({ kind, at }) => ({ key: `${kind}-${at}`, at, kind: 'figures', title: SAID[kind], detail: null, who: null }));
}

async function namesOf(db: Db, actors: readonly string[]): Promise<Map<string, string>> {
  const ids = [...new Set(actors.filter(isId))];
  if (ids.length === 0) return new Map();
  const rows = await db.select({ id: users.id, name: users.fullName }).from(users).where(inArray(users.id, ids));
  return new Map(rows.map(({ id, name }) => [id, name]));
}
