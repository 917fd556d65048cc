/** Column types for the domain's value types. */
import { toInstant, type Instant } from '@portal/domain/clock.ts';
import type { Pence, WholePounds } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { bigint, customType, date, uuid } from 'drizzle-orm/pg-core';

/** A moment: `timestamptz` with milliseconds, an Instant in code. */
export const instant = customType<{ data: Instant; driverData: string }>({
  dataType: () => 'timestamp (3) with time zone',
  fromDriver: (value) => parseDatabaseInstant(value),
});

const UTC_TIMESTAMP_PATTERN = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(\.\d{1,3})?\+00$/;

/**
 * Converts PostgreSQL's UTC text directly, which is faster than parsing: a page of a list contains fifty such values. Other formats are
 * parsed.
 */
export function parseDatabaseInstant(text: string): Instant {
  const [matched, day, time, fraction = '.'] = UTC_TIMESTAMP_PATTERN.exec(text) ?? [];
  return matched === undefined ? toInstant(Date.parse(text)) : (`${day}T${time}${fraction.padEnd(4, '0')}Z` as Instant);
}

/** Money in pence: a bigint column, a safe integer in code. */
export const pence = (name: string) => bigint(name, { mode: 'number' }).$type<Pence>();

/** Whole pounds, as in boxes 6 to 9. */
export const wholePounds = (name: string) => bigint(name, { mode: 'number' }).$type<WholePounds>();

/** A calendar date as "YYYY-MM-DD". */
export const plainDate = (name: string) => date(name, { mode: 'string' }).$type<PlainDate>();

/** An uploaded file. */
export const fileBytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });

/** JSON that no statement looks into: a text column, which takes half the time of `jsonb` to write. */
export const jsonText = customType<{ data: unknown; driverData: string }>({
  dataType: () => 'text',
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (text) => JSON.parse(text) as unknown,
});

/** The tenant's ID, which comes first in the primary key and every index of a tenant's table (docs/decisions/0003-tenant-id-first.md). */
export const companyId = () => uuid('company_id').notNull();
