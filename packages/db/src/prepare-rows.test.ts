/** The rows of a prepared select are Drizzle's own, whatever was joined: a new version of it that maps in another way fails here. */
import { randomUUID } from 'node:crypto';
import { instantOf } from '@portal/domain/clock.ts';
import { and, count, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from './database.ts';
import { prepareRows } from './prepare-rows.ts';
import { instantFromText } from './schema/columns.ts';
import { companies, memberships, users } from './schema/schema.ts';
import { openTestDatabase } from './testing/open-test-database.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
  const createdAt = instantOf(Date.parse('2026-11-21T09:00:00.040Z'));
  const [one, two] = [randomUUID(), randomUUID()];
  await database.db.insert(users).values([
    { id: one, email: 'one@rows.example', fullName: 'One', createdAt },
    { id: two, email: 'two@rows.example', fullName: 'Two', isOperator: true, createdAt },
  ]);
  const companyId = randomUUID();
  await database.db.insert(companies).values({ id: companyId, kind: 'practice', name: 'Rows', createdAt });
  await database.db.insert(memberships).values({ companyId, userId: one, role: 'practice_admin', createdAt });
});
afterAll(() => database.close());

function selects() {
  const { db } = database;
  const joined = and(eq(memberships.userId, users.id), eq(memberships.role, 'practice_admin'));
  return {
    'columns alone': db.select({ email: users.email, at: users.createdAt, isOperator: users.isOperator }).from(users).orderBy(users.email),
    'what is computed': db.select({ n: count(), text: sql<string>`max(${users.email})`, twice: sql`2`.mapWith(String) }).from(users),
    'a join that leaves rows out, in groups': db
      .select({
        user: { id: users.id, at: users.createdAt },
        member: { role: memberships.role, at: memberships.createdAt },
        email: users.email,
      })
      .from(users)
      .leftJoin(memberships, joined)
      .orderBy(users.email),
    'a group of two tables': db
      .select({ both: { role: memberships.role, email: users.email }, n: sql<number>`1` })
      .from(users)
      .leftJoin(memberships, joined)
      .orderBy(users.email),
    'a group led by something computed': db
      .select({ member: { one: sql<number>`1`, role: memberships.role } })
      .from(users)
      .leftJoin(memberships, joined)
      .orderBy(users.email),
    'an inner join': db
      .select({ user: { id: users.id }, member: { role: memberships.role } })
      .from(users)
      .innerJoin(memberships, joined),
    'whole tables': db.select().from(users).leftJoin(memberships, joined).orderBy(users.email),
  };
}

describe('a prepared select', () => {
  it.each([
    'columns alone',
    'what is computed',
    'a join that leaves rows out, in groups',
    'a group of two tables',
    'a group led by something computed',
    'an inner join',
    'whole tables',
  ] as const)('of %s answers what Drizzle answers', async (name) => {
    const select = selects()[name] as unknown as { prepare(name: string): { execute(): Promise<unknown[]> } };
    const theirs = await select.prepare(`theirs ${name}`).execute();
    expect(theirs.length).toBeGreaterThan(0);
    expect(await prepareRows(select, `ours ${name}`).execute()).toEqual(theirs);
  });
});

it.each([
  ['2026-11-21 09:00:00.123+00', '2026-11-21T09:00:00.123Z'],
  ['2026-11-21 09:00:00.04+00', '2026-11-21T09:00:00.040Z'],
  ['2026-11-21 09:00:00+00', '2026-11-21T09:00:00.000Z'],
  ['2026-11-21T09:00:00.5+00:00', '2026-11-21T09:00:00.500Z'],
  ['2026-11-21 10:00:00+01', '2026-11-21T09:00:00.000Z'],
])('the moment %s is read as %s', (text, instant) => {
  expect(instantFromText(text)).toBe(instant);
});
