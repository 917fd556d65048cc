// Two queues rather than one per kind: each queue is polled separately, and a dozen would keep an idle database busy.
export const queueName = 'portal';
export const tickQueueName = 'portal-ticks';
/** Receives jobs after their last failure. */
export const failedQueueName = 'portal-failed';
