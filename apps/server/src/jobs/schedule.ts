import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { JobTable, Payloads } from './job-table.ts';
import { tickQueueName } from './queues.ts';

type ScheduleOptions<P extends Payloads> = {
  readonly boss: PgBoss;
  readonly table: JobTable<P>;
  readonly wake: () => void;
  readonly logger: Logger;
};

/**
 * Every instance sends every tick. The queue accepts only the first one in each time slot (a unique index), so only one instance runs it.
 * The group keeps a slow tick from overlapping with the next one.
 */
export function startSchedule<P extends Payloads>({ boss, table, wake, logger }: ScheduleOptions<P>): () => void {
  const timers = Object.entries(table).flatMap(([kind, { every, expireSeconds }]) => {
    if (every === undefined) return [];
    const options = { singletonKey: kind, singletonSeconds: every, group: { id: kind }, retryLimit: 0, expireInSeconds: expireSeconds };
    const sendTick = (): void => {
      boss.send(tickQueueName, { kind, payload: {} }, options).then(
        (id) => id && wake(),
        (error: unknown) => logger.error({ err: error, kind }, 'jobs: failed to send a scheduled job'),
      );
    };
    sendTick();
    return [setInterval(sendTick, every * 1000)];
  });
  return () => timers.forEach((timer) => clearInterval(timer));
}
