// A few queues rather than one per kind: each queue is polled separately, and a dozen would keep an idle database busy.
export const queueName = 'portal';
/** What people wait for and what moves money. Long jobs in the other queue can't delay it, however many there are. */
export const urgentQueueName = 'portal-urgent';
export const tickQueueName = 'portal-ticks';
/** Receives jobs after their last failure. */
export const failedQueueName = 'portal-failed';
