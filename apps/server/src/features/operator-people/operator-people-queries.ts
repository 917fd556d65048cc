import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { operatorPeopleApi } from '@portal/contract/operator-people.ts';
import { operators, sessions, users } from '@portal/db/schema/schema.ts';
import { addMilliseconds, type Clock } from '@portal/domain/clock.ts';
import type { Database } from '@portal/db/database.ts';
import { and, asc, count, eq, gt, max } from '@portal/db/sql.ts';
import { findFirstDay, findFirstDays } from '../operators/new-access.ts';
import { alias } from 'drizzle-orm/pg-core';
import { OPERATOR_IDLE_TTL_MS, OPERATOR_SESSION_TTL_MS } from '../../http/session.ts';

type Person = EndpointOutput<typeof operatorPeopleApi.list>['people'][number];

type Deps = { readonly database: Pick<Database, 'db'>; readonly clock: Clock; readonly wallClock: Clock };

/** Lists all operators by name, disabled ones last. */
export async function listOperators({ database, clock, wallClock }: Deps): Promise<Person[]> {
  const inviters = alias(users, 'inviters');
  const now = wallClock.now();
  const isRunning = and(
    eq(sessions.userId, operators.userId),
    gt(sessions.lastSeenAt, addMilliseconds(now, -OPERATOR_IDLE_TTL_MS)),
    gt(sessions.createdAt, addMilliseconds(now, -OPERATOR_SESSION_TTL_MS)),
  );
  const rows = await database.db
    .select({
      operator: operators,
      name: users.fullName,
      email: users.email,
      inviter: inviters.fullName,
      sessions: count(sessions.id),
      lastSeenAt: max(sessions.lastSeenAt),
    })
    .from(operators)
    .innerJoin(users, eq(users.id, operators.userId))
    .leftJoin(inviters, eq(inviters.id, operators.invitedBy))
    .leftJoin(sessions, isRunning)
    .groupBy(operators.userId, users.id, inviters.id)
    .orderBy(asc(users.fullName), asc(users.email));
  const firstDays = await findFirstDays(database.db, clock.now());
  const operatorRows = rows.map(({ operator, name, email, inviter, sessions: sessionCount, lastSeenAt }): Person => ({
    user_id: operator.userId,
    full_name: name,
    email,
    roles: operator.roles,
    status: operator.disabledAt !== null ? 'disabled' : operator.enrolledAt === null ? 'invited' : 'active',
    invited_by: inviter,
    invited_at: operator.invitedAt,
    enrolled_at: operator.enrolledAt,
    disabled_at: operator.disabledAt,
    decides_from: findFirstDay(firstDays, { userId: operator.userId, email }) ?? null,
    sessions: sessionCount,
    last_seen_at: lastSeenAt,
  }));
  return [...operatorRows.filter(({ status }) => status !== 'disabled'), ...operatorRows.filter(({ status }) => status === 'disabled')];
}
