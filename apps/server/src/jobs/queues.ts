// Two queues, not one a kind: each queue is polled on its own, and a dozen of them would keep an idle database busy.
export const queueName = 'portal';
export const tickQueueName = 'portal-ticks';
/** Where a job goes that has failed for the last time. */
export const failedQueueName = 'portal-failed';
