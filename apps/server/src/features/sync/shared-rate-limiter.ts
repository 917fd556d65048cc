/**
 * A provider's rate limit shared by all instances: one row per provider, advanced in one statement by the database's clock. Neither the
 * instances' clocks nor their number matters. Sync runs and users share the same slots.
 */
import type { Database } from '@portal/db/database.ts';
import type { SharedRateLimiter } from '@portal/providers/http/rate-limiter.ts';
import { sql } from '@portal/db/sql.ts';

const MICROS_NOW = sql`(extract(epoch from clock_timestamp()) * 1000000)::bigint`;

/** Provides slots `intervalMs` apart. Don't call it inside a transaction, because the row would stay locked until its end. */
export function createSharedRateLimiter({ db }: Pick<Database, 'db'>, provider: string, intervalMs: number): SharedRateLimiter {
  const intervalMicros = Math.round(intervalMs * 1000);
  return {
    reserve: async () => {
      const { rows } = await db.execute<{ wait_micros: number }>(sql`
        insert into provider_rate_limits (provider, next_at_micros) values (${provider}, ${MICROS_NOW} + ${intervalMicros}::bigint)
        on conflict (provider) do update set next_at_micros = greatest(provider_rate_limits.next_at_micros, ${MICROS_NOW}) + ${intervalMicros}::bigint
        returning next_at_micros - ${intervalMicros}::bigint - ${MICROS_NOW} as wait_micros`);
      const waitMs = (rows[0]?.wait_micros ?? 0) / 1000;
      return waitMs > 0 ? waitMs : 0;
    },
    postpone: async (ms) => {
      const micros = Math.round(ms * 1000);
      await db.execute(
        sql`update provider_rate_limits set next_at_micros = next_at_micros + ${micros}::bigint where provider = ${provider}`,
      );
    },
  };
}

/** The longest pause that a provider can request. If it needs longer, it will throttle the next calls again. */
const MAX_PAUSE_MS = 60_000;

/** Pauses all calls to a provider that asked us to slow down. Slots that are already reserved are still used. */
export async function pauseProvider({ db }: Pick<Database, 'db'>, provider: string, ms: number): Promise<void> {
  const micros = Math.round(Math.min(ms, MAX_PAUSE_MS) * 1000);
  await db.execute(sql`
    insert into provider_rate_limits (provider, next_at_micros) values (${provider}, ${MICROS_NOW} + ${micros}::bigint)
    on conflict (provider) do update set next_at_micros = greatest(provider_rate_limits.next_at_micros, ${MICROS_NOW} + ${micros}::bigint)`);
}
