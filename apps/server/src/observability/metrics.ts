/**
 * The metrics that Prometheus collects from /portal/metrics. Labels have few values and contain no personal data: route patterns instead of
 * URLs, names of kinds and states, never an ID. Names follow prometheus.io/docs/practices/naming.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** From a cached page to HMRC's timeout of 15 seconds. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];
/** A job may take minutes: an import, or a practice's refresh. */
const JOB_BUCKETS = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900];

export type Metrics = ReturnType<typeof createMetrics>;

/** One registry per portal in a process, so that tests don't share metrics. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    buildInfo: new Gauge({
      name: 'portal_build_info',
      help: 'Always 1. Labelled with the running version.',
      labelNames: ['version'],
      registers,
    }),
    ...createRequestMetrics(registers),
    ...createJobMetrics(registers),
    ...createAuditMetrics(registers),
    /** Read from the database when Prometheus scrapes. Each instance reports the same, so take the maximum (database-figures.ts). */
    database: createDatabaseGauges(registers),
  };
}

/**
 * Adds this process's processor, memory and event loop metrics, and the version. Call only once per process, because it starts observers.
 */
export function watchProcess({ registry, buildInfo }: Metrics, version: string): void {
  buildInfo.set({ version }, 1);
  collectDefaultMetrics({ register: registry });
}

function createRequestMetrics(registers: Registry[]) {
  return {
    requests: new Counter({
      name: 'portal_http_requests_total',
      help: 'Requests by route pattern. Status 499: the client disconnected before the response.',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'portal_http_request_duration_seconds',
      help: 'Response time of requests, excluding event streams.',
      labelNames: ['method', 'route'],
      buckets: REQUEST_BUCKETS,
      registers,
    }),
    providerCalls: new Counter({
      name: 'portal_provider_calls_total',
      help: 'Calls to a provider by status class, or failed (no response).',
      labelNames: ['provider', 'outcome'],
      registers,
    }),
    providerSeconds: new Histogram({
      name: 'portal_provider_call_duration_seconds',
      help: 'Response time of providers.',
      labelNames: ['provider'],
      buckets: REQUEST_BUCKETS,
      registers,
    }),
    hmrcLimit: new Gauge({
      name: 'portal_hmrc_calls_per_second_limit',
      help: 'Calls per second that HMRC allows all instances together (HMRC_CALLS_PER_SECOND).',
      registers,
    }),
    paused: new Gauge({
      name: 'portal_paused',
      help: '1 if this instance has stopped this kind of work (PAUSED).',
      labelNames: ['work'],
      registers,
    }),
    hmrcWaiting: new Gauge({
      name: 'portal_hmrc_calls_waiting',
      help: 'Calls from this instance that are queued by the HMRC rate limiter. A user is waiting for every call except background calls.',
      labelNames: ['priority'],
      registers,
    }),
  };
}

function createJobMetrics(registers: Registry[]) {
  return {
    jobs: new Counter({
      name: 'portal_jobs_total',
      help: 'Finished job attempts. Parked: the job’s process died or hung too often.',
      labelNames: ['kind', 'outcome'],
      registers,
    }),
    jobSeconds: new Histogram({
      name: 'portal_job_duration_seconds',
      help: 'Duration of a job attempt.',
      labelNames: ['kind'],
      buckets: JOB_BUCKETS,
      registers,
    }),
  };
}

function createAuditMetrics(registers: Registry[]) {
  const auditHeadsWritten = new Gauge({
    name: 'portal_audit_heads_written_timestamp_seconds',
    help: 'When this instance last wrote the audit trail’s hashes outside the database, or its start time if it hasn’t yet.',
    registers,
  });
  auditHeadsWritten.setToCurrentTime();
  return {
    auditHeadsWritten,
    mailReports: new Counter({
      name: 'portal_mail_reports_total',
      help: 'Mail that arrived for our envelope senders, by type: failed, delayed, complaint, repeated, other, malformed or refused.',
      labelNames: ['kind'],
      registers,
    }),
    emailsNotAttempted: new Counter({
      name: 'portal_emails_not_attempted_total',
      help: 'Queued emails that weren’t sent, because an earlier email to the same address bounced.',
      registers,
    }),
    webhooksRefused: new Counter({
      name: 'portal_webhooks_refused_total',
      help: 'Webhooks that we rejected.',
      labelNames: ['provider', 'reason'],
      registers,
    }),
    securityEvents: new Counter({
      name: 'portal_security_events_total',
      help: 'Security events, as in the log.',
      labelNames: ['event', 'reason'],
      registers,
    }),
  };
}

export type DatabaseGauges = ReturnType<typeof createDatabaseGauges>;

function createDatabaseGauges(registers: Registry[]) {
  const createGauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []): ClearableGauge<Label> =>
    createClearableGauge(new Gauge({ name, help, labelNames, registers }), labelNames.length > 0);
  return {
    failures: new Counter({
      name: 'portal_metrics_read_failures_total',
      help: 'Metrics that could not be read from the database for a scrape. They are missing until the next success.',
      labelNames: ['figures'],
      registers,
    }),
    jobsWaiting: createGauge('portal_jobs_waiting', 'Jobs that are due and waiting for a worker.', ['kind']),
    jobsOldest: createGauge('portal_jobs_oldest_waiting_seconds', 'How long the oldest due job has been waiting.', ['kind']),
    jobsFailed: createGauge('portal_jobs_failed', 'Jobs that used up their retries or were parked, and are waiting for an operator.', [
      'kind',
    ]),
    hmrcBooked: createGauge('portal_hmrc_slots_booked_seconds', 'How far ahead calls to HMRC are booked, across all instances.'),
    payouts: createGauge('portal_payouts', 'Payouts by state.', ['state']),
    payoutsOldest: createGauge('portal_payouts_oldest_open_seconds', 'Age of the oldest payout in a non-final state.', ['state']),
    payoutsUnknown: createGauge('portal_payouts_unknown', 'Open payouts whose last submission had no clear response.'),
    refundsFailed: createGauge(
      'portal_refunds_failed',
      'Invoice refunds that a bank returned, Stripe rejected, or someone made at Stripe for more than the invoice.',
      ['state'],
    ),
    advanced: createGauge('portal_exposure_advanced_pence', 'Paid to traders for refunds that have not been repaid.'),
    outstanding: createGauge(
      'portal_exposure_outstanding_pence',
      'Refunds that HMRC or traders still owe us, including advances that may be paid soon.',
    ),
    exposureLimit: createGauge('portal_exposure_limit_pence', 'Exposure limit across all companies.'),
    commandLineChanges: createGauge(
      'portal_operator_command_line_changes',
      'Total changes to operators’ access made with npm run operator.',
    ),
    clockDifference: createGauge(
      'portal_database_clock_difference_seconds',
      'How far this computer’s clock is ahead of the database’s. Differs between instances.',
    ),
    certificateEnd: createGauge(
      'portal_database_certificate_expires_timestamp_seconds',
      'When the certificate ends that the database showed on this instance’s newest connection.',
    ),
    clientsAuthorised: createGauge('portal_sync_clients_authorised', 'Clients whose tax figures HMRC lets a practice read.', ['tax']),
    clientsRead: createGauge('portal_sync_clients_read_last_day', 'Clients whose figures were fully read in the last 24 hours.', ['tax']),
  };
}

/** A gauge whose value can be cleared. */
type ClearableGauge<Label extends string> = {
  set(value: number, labels?: Partial<Record<Label, string>>): void;
  clear(): void;
};

function createClearableGauge<Label extends string>(gauge: Gauge<Label>, hasLabels: boolean): ClearableGauge<Label> {
  const clear = (): void => {
    gauge.reset();
    // Without labels, a reset gauge is 0.
    if (!hasLabels) gauge.remove();
  };
  clear();
  return { set: (value, labels = {}) => gauge.set(labels, value), clear };
}
