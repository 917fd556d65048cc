/** Searches the audit trail across companies, newest first. */
import type { auditFilters, operationsApi } from '@portal/contract/operations.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Db } from '@portal/db/database.ts';
import { auditEntries, companies, users } from '@portal/db/schema/schema.ts';
import { parseInstant } from '@portal/domain/clock.ts';
import { and, desc, eq, inArray, sql, type SQL } from '@portal/db/sql.ts';
import { z } from 'zod';
import type { z as zodMini } from 'zod/mini';
import { formatCursor, parseCursor } from '../../http/page-cursor.ts';
import { NO_COMPANY } from '../audit/record-audit.ts';

export type AuditFilters = zodMini.output<typeof auditFilters>;
type AuditPage = EndpointOutput<typeof operationsApi.audit>;

const PAGE_SIZE = 100;
const cursorSchema = z.tuple([z.iso.datetime().refine((at) => parseInstant(at) !== undefined), z.uuid(), z.int32()]);

export async function searchAudit(db: Db, filters: AuditFilters, cursor: string | undefined, size = PAGE_SIZE): Promise<AuditPage> {
  const cursorPosition = cursor === undefined ? undefined : parseCursor(cursor, cursorSchema);
  const rows = await db
    .select({ entry: auditEntries, companyName: companies.name })
    .from(auditEntries)
    .leftJoin(companies, eq(companies.id, auditEntries.companyId))
    .where(
      and(
        ...(await toConditions(db, filters)),
        cursorPosition &&
          sql`(${auditEntries.at}, ${auditEntries.companyId}, ${auditEntries.sequence}) < (${cursorPosition[0]}::timestamptz, ${cursorPosition[1]}::uuid, ${cursorPosition[2]}::int)`,
      ),
    )
    .orderBy(desc(auditEntries.at), desc(auditEntries.companyId), desc(auditEntries.sequence))
    .limit(size + 1);
  const page = rows.slice(0, size);
  const names = await loadNames(
    db,
    page.map(({ entry }) => entry.actor),
  );
  const last = page.at(-1)?.entry;
  return {
    entries: page.map(({ entry, companyName }) => ({
      company_id: entry.companyId === NO_COMPANY ? null : entry.companyId,
      company_name: companyName,
      sequence: entry.sequence,
      at: entry.at,
      actor: names.get(entry.actor) ?? entry.actor,
      action: entry.action,
      subject: entry.subject,
      before: toText(entry.before),
      after: toText(entry.after),
      ip: entry.ip,
    })),
    next_cursor: rows.length > size && last ? formatCursor([last.at, last.companyId, last.sequence]) : null,
  };
}

const toText = (value: unknown): string | null => (value === null || value === undefined ? null : JSON.stringify(value));

async function toConditions(db: Db, { company_id, person, action, subject, from, to }: AuditFilters): Promise<(SQL | undefined)[]> {
  return [
    company_id === undefined ? undefined : eq(auditEntries.companyId, company_id),
    person ? eq(auditEntries.actor, await findActor(db, person)) : undefined,
    action ? sql`starts_with(${auditEntries.action}, ${action})` : undefined,
    subject ? eq(auditEntries.subject, subject) : undefined,
    from === undefined ? undefined : sql`${auditEntries.at} >= (${from}::date)::timestamp at time zone 'Europe/London'`,
    to === undefined ? undefined : sql`${auditEntries.at} < (${to}::date + 1)::timestamp at time zone 'Europe/London'`,
  ];
}

/** Finds a user by email address; anything else is an actor's id or name as the trail stores it. */
async function findActor(db: Db, person: string): Promise<string> {
  if (!person.includes('@')) return person;
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, person.toLowerCase()));
  return user?.id ?? person;
}

const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-/u;

async function loadNames(db: Db, actors: readonly string[]): Promise<Map<string, string>> {
  const ids = [...new Set(actors.filter((actor) => UUID_PATTERN.test(actor)))];
  if (ids.length === 0) return new Map();
  const rows = await db.select({ id: users.id, name: users.fullName, email: users.email }).from(users).where(inArray(users.id, ids));
  return new Map(rows.map(({ id, name, email }) => [id, `${name} (${email})`]));
}
