/** The column types that the domain's values rest in. */
import { instantOf, type Instant } from '@portal/domain/clock.ts';
import type { Pence, WholePounds } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { bigint, customType, date, uuid } from 'drizzle-orm/pg-core';

/** A moment: `timestamptz` to the millisecond, an Instant in code. */
export const instant = customType<{ data: Instant; driverData: string }>({
  dataType: () => 'timestamp (3) with time zone',
  fromDriver: (value) => instantFromText(value),
});

const IN_UTC = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(\.\d{1,3})?\+00$/;

/** PostgreSQL's text of a session in UTC needs only its marks changed: a page of a list holds fifty of them. Any other way to write it is read. */
export function instantFromText(text: string): Instant {
  const [whole, day, time, fraction = '.'] = IN_UTC.exec(text) ?? [];
  return whole === undefined ? instantOf(Date.parse(text)) : (`${day}T${time}${fraction.padEnd(4, '0')}Z` as Instant);
}

/** Money in pence. A safe integer, so a JavaScript number carries it exactly; the column is a bigint. */
export const pence = (name: string) => bigint(name, { mode: 'number' }).$type<Pence>();

/** Whole pounds, boxes 6 to 9. */
export const wholePounds = (name: string) => bigint(name, { mode: 'number' }).$type<WholePounds>();

/** A calendar date as "YYYY-MM-DD". */
export const plainDate = (name: string) => date(name, { mode: 'string' }).$type<PlainDate>();

/** The tenant. It leads the primary key and every index of a tenant's table (docs/decisions/0004). */
export const companyId = () => uuid('company_id').notNull();
