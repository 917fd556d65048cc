import { sql } from '../sql.ts';
import { integer, pgTable, timestamp, uuid } from 'drizzle-orm/pg-core';

/** Background job runs that ended because their process died, by the job's ID in pg-boss. After too many, the job is parked. */
export const lostJobRuns = pgTable('lost_job_runs', {
  jobId: uuid('job_id').primaryKey(),
  count: integer('count').notNull(),
  lastAt: timestamp('last_at', { withTimezone: true })
    .notNull()
    .default(sql`now()`),
});
