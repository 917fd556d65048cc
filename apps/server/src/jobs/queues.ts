// A few queues rather than one per kind: each queue is polled separately, and a dozen would keep an idle database busy.
export const queueName = 'portal';
/** Jobs that users wait for or that move money. Long jobs in the other queue can't delay them, however many there are. */
export const urgentQueueName = 'portal-urgent';
export const tickQueueName = 'portal-ticks';
/** Receives jobs after their last failure. */
export const failedQueueName = 'portal-failed';
