/**
 * The whole portal for a test, in one process: real database, simulators over real HTTP, and a clock that the test moves. Emails are
 * captured.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestDatabase } from '@portal/db/testing/open-test-database.ts';
import { createClock, parseInstant, systemClock, type Clock } from '@portal/domain/clock.ts';
import { openSimulatorStore } from '@portal/sandbox/simulator/simulator-store.ts';
import { openFaults, type Faults } from '@portal/sandbox/simulator/faults.ts';
import { createHmrcClient } from '@portal/providers/hmrc/hmrc-client.ts';
import type { AgentControls } from '@portal/sandbox/hmrc-agent/agent-controls.ts';
import { createAgentAuthorisationClient } from '@portal/providers/hmrc-agent/agent-authorisation-client.ts';
import { createSelfAssessmentClient } from '@portal/providers/hmrc-agent/self-assessment-client.ts';
import { createVatPenaltiesClient } from '@portal/providers/hmrc-agent/vat-penalties-client.ts';
import { rateLimitFetch } from '@portal/providers/http/rate-limit-fetch.ts';
import type { RateLimiter } from '@portal/providers/http/rate-limiter.ts';
import type { HmrcControls } from '@portal/sandbox/hmrc/hmrc-controls.ts';
import { createClamdClient } from '@portal/providers/clamd/clamd-client.ts';
import { createGoCardlessClient } from '@portal/providers/gocardless/gocardless-client.ts';
import type { StripeControls } from '@portal/sandbox/stripe/stripe-simulator.ts';
import type { GoCardlessControls } from '@portal/sandbox/gocardless/gocardless-simulator.ts';
import { createAppDocuments } from '@portal/providers/app-documents/app-documents.ts';
import { createWebhookSender } from '@portal/providers/webhooks/webhook-sender.ts';
import { createTrueLayerClient } from '@portal/providers/truelayer/truelayer-client.ts';
import type { IdentitySimulators } from '@portal/sandbox/simulator/identity-simulators.ts';
import type { TrueLayerControls } from '@portal/sandbox/truelayer/truelayer-controls.ts';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import type { AppDeps, JobOverview } from '../app-deps.ts';
import { buildApp, WEB_DIST } from '../build-app.ts';
import { createHealthRecorder, type WatchFetch } from '../features/operations/provider-health.ts';
import { jobHandlers } from '../job-handlers.ts';
import { jobTable, type JobPayloads } from '../jobs/job-kinds.ts';
import { openJobs, type Jobs } from '../jobs/open-jobs.ts';
import type { OutgoingEmail } from '../mail/mailer.ts';
import { createMetrics } from '../observability/metrics.ts';
import { observeCalls } from '../observability/observe-calls.ts';
import { createSecurityLog } from '../observability/security-log.ts';
import { pauseWithTimer } from '../pause.ts';
import type { PausableWork } from '../paused-work.ts';
import type { ProviderSettings } from '../provider-settings.ts';
import { createIdentityClients } from '../start/identity-clients.ts';
import { createBilling } from '../start/create-billing.ts';
import { createChat } from '../start/page-scripts.ts';
import { createTokenCipher } from '../secrets/token-cipher.ts';
import { findFreeAddress, startSimulators, type SimulatorOptions } from './start-simulators.ts';

const VISITORS = {
  contact: { email: 'support@portal.example', phone: undefined, address: undefined },
  website: { websiteUrl: null, privacyUrl: null },
};

export type TestPortal = {
  readonly app: FastifyInstance;
  readonly deps: AppDeps;
  readonly hmrc: HmrcControls;
  readonly bank: TrueLayerControls;
  readonly directDebits: GoCardlessControls;
  readonly stripe: StripeControls;
  readonly identity: IdentitySimulators;
  readonly faults: Faults;
  readonly agents: AgentControls;
  readonly sentEmails: OutgoingEmail[];
  /** Returns a function that restores the simulators' current documents. */
  saveSimulators(): () => void;
  readonly sandboxUrl: string;
  /** The simulators' URLs and credentials, for a test's own clients. */
  readonly providers: ProviderSettings;
  readonly url: string;
  /** Opens another instance of the portal on the same database, with some of its dependencies replaced. */
  openInstance(changes?: Partial<AppDeps>): Promise<TestInstance>;
  /** Returns the same portal as a new process would see it: the old process's work in progress is lost. */
  asNewProcess(): AppDeps;
  moveClock(to: string): void;
  /** Runs jobs until none are left. */
  runJobs(): Promise<void>;
  close(): Promise<void>;
};

export type TestInstance = Pick<TestPortal, 'app' | 'deps' | 'runJobs'> & { close(): Promise<void> };

type TestPortalOptions = {
  /** The initial business time, an ISO instant. */
  readonly at?: string;
  /** Responses are validated against the contract unless the test measures speed. */
  readonly validateOutputs?: boolean;
  /** Plans each statement only once, for a test that runs the same statements many thousands of times. */
  readonly preparesStatements?: boolean;
  /** For a test that breaks connections. Otherwise, losing a connection is an error. */
  readonly survivesLostConnections?: boolean;
} & Pick<SimulatorOptions, 'bankWebhooksTo' | 'bankStepMs' | 'directDebitStepMs' | 'openProxy'>;

/** Tests run retries without delays, and a job that can't succeed yet would use up a hundred of them. */
const MAX_RETRIES = 15;
const TEST_JOB_TABLE = Object.fromEntries(
  Object.entries(jobTable).map(([kind, rule]) => [kind, { ...rule, retryLimit: Math.min(rule.retryLimit, MAX_RETRIES) }]),
) as typeof jobTable;
const SILENT_LOGGER = pino({ level: 'silent' });
/** Sends each call at once. */
const NO_LIMIT: RateLimiter = { acquireSlot: async () => ({ slotAt: 0, sentAt: 0 }), reportResponse: () => undefined };
const REAL_TIME = { wallClock: systemClock, pause: pauseWithTimer };

async function startListeningAt(app: FastifyInstance, url: string): Promise<FastifyInstance> {
  await app.listen({ port: Number(new URL(url).port), host: '127.0.0.1' });
  return app;
}

export async function openTestPortal({
  at = '2026-11-10T09:00:00.000Z',
  validateOutputs = true,
  ...options
}: TestPortalOptions = {}): Promise<TestPortal> {
  let offset = Date.parse(at) - Date.now();
  const clock = createClock(() => Date.now() + offset);
  const database = await openTestDatabase(options);
  const store = openSimulatorStore(':memory:');
  const faults = openFaults(store, { slowMs: 50, hangMs: 50 });
  const portalUrl = await findFreeAddress();
  const simulators = await startSimulators({ store, clock, faults, portalUrl, ...options });
  const observation = createObservation();
  const jobs = await openJobs({ database, table: TEST_JOB_TABLE, ...observation, isSupervised: false });
  const sentEmails: OutgoingEmail[] = [];
  const providers = simulators.settings;
  const chat = createChat(providers.chat, clock);
  const deps: AppDeps = {
    database,
    clock,
    ...REAL_TIME,
    enqueue: jobs.enqueue,
    ...observation,
    ...createPublicClients(),
    mailer: { send: async (email) => void sentEmails.push(email), close: () => undefined, address: 'no-reply@portal.example' },
    ...createIdentity(),
    ...createClients(providers, clock, createWatch(database, clock, observation)),
    chat: chat.chat,
    site: createSite(simulators.url, chat.script),
  };
  const build = (instanceDeps: AppDeps): Promise<FastifyInstance> =>
    buildApp(instanceDeps, {
      trustProxy: 'loopback',
      validateOutputs,
      distDir: WEB_DIST,
      checkReady: async () => ({ database: true }),
      ...toJobOverview(jobs),
    });
  const runJobsOf = async (instanceDeps: AppDeps) => void (await jobs.runDue(jobHandlers(instanceDeps), { includesDelayed: true }));
  const app = await startListeningAt(await build(deps), portalUrl);
  return {
    app,
    deps,
    hmrc: simulators.hmrc,
    bank: simulators.bank,
    directDebits: simulators.directDebits,
    stripe: simulators.stripe,
    identity: simulators.ways,
    faults,
    agents: simulators.agents,
    sentEmails,
    saveSimulators: store.save,
    sandboxUrl: simulators.url,
    providers,
    url: portalUrl,
    openInstance: async (changes = {}) => {
      const changedDeps = { ...deps, instanceId: randomUUID(), ...changes };
      return toInstance(changedDeps, await build(changedDeps), () => runJobsOf(changedDeps));
    },
    asNewProcess: () => ({ ...deps, instanceId: randomUUID() }),
    moveClock: (to) => void (offset = Date.parse(parseInstant(to) ?? to) - Date.now()),
    runJobs: () => runJobsOf(deps),
    close: async () => {
      await closeAtOnce(app);
      await simulators.close();
      await jobs.stop(1_000);
      await database.close();
    },
  };
}

const toInstance = (deps: AppDeps, app: FastifyInstance, runJobs: () => Promise<void>): TestInstance => {
  return { app, deps, runJobs, close: () => app.close() };
};

const createInstance = () => ({
  instanceId: randomUUID(),
  paused: new Set<PausableWork>(),
  auditHeadsFile: join(tmpdir(), `audit-heads-${randomUUID()}.jsonl`),
});

const createIdentity = () => ({ tokenCipher: createTokenCipher([randomBytes(32).toString('base64')]), ...createInstance() });

/** Creates a silent logger and separate metrics. */
function createObservation(): Pick<AppDeps, 'logger' | 'metrics' | 'recordSecurityEvent'> {
  const metrics = createMetrics();
  return { logger: SILENT_LOGGER, metrics, recordSecurityEvent: createSecurityLog(SILENT_LOGGER, metrics, 'test') };
}

function createWatch(database: AppDeps['database'], clock: Clock, { logger, metrics }: Pick<AppDeps, 'logger' | 'metrics'>): WatchFetch {
  const { watch } = createHealthRecorder(database, clock, logger);
  return (provider, send) => watch(provider, observeCalls(metrics)(provider, send));
}

/** Creates clients that call URLs chosen by strangers; in tests, these URLs are on this computer. */
function createPublicClients(): Pick<AppDeps, 'webhooks' | 'appDocuments'> {
  const options = { allowsPrivateAddresses: true };
  return { webhooks: createWebhookSender(options), appDocuments: createAppDocuments(options) };
}

function createSite(sandboxUrl: string, chat: AppDeps['site']['chat']): AppDeps['site'] {
  return {
    brand: 'Tidewater',
    publicUrl: 'http://localhost',
    appHost: 'http://localhost',
    chat,
    ...VISITORS,
    analytics: null,
    sandboxUrl,
    isHmrcSimulated: true,
    sandboxText: 'Sandbox: no real money moves and nothing is sent to HMRC.',
    showsDevelopmentPages: true,
    hmrcRepaymentAccountUrl: `${sandboxUrl}/hmrc-www/business-account/repayment-account`,
    vendorPublicIp: '203.0.113.6',
    version: '0.0.0-test',
  };
}

const toJobOverview = (jobs: Pick<Jobs<JobPayloads>, 'listFailed' | 'retryFailed' | 'discardFailed'>): JobOverview => ({
  listFailedJobs: () => jobs.listFailed(20),
  retryFailedJob: jobs.retryFailed,
  discardFailedJob: jobs.discardFailed,
});

/** Otherwise, an open event stream would keep the server running until the keep-alive timeout of 72 seconds. */
async function closeAtOnce(app: FastifyInstance): Promise<void> {
  app.server.closeAllConnections();
  await app.close();
}

/** Creates the clients as a real start does, but without rate limits. */
export function createClients(
  { hmrc: { apiUrl, wwwUrl, clientId, clientSecret }, identity, truelayer, goCardless, clamd, billing }: ProviderSettings,
  clock: Clock,
  watch: WatchFetch,
): Pick<
  AppDeps,
  | 'hmrc'
  | 'hmrcRuns'
  | 'hmrcAgent'
  | 'hmrcSignIn'
  | 'payments'
  | 'directDebits'
  | 'virusScanner'
  | 'billing'
  | keyof ReturnType<typeof createIdentityClients>
> {
  const hmrc = {
    apiUrl,
    authorizeUrl: `${wwwUrl}/oauth/authorize`,
    clientId,
    clientSecret,
    fetch: rateLimitFetch(watch('hmrc', fetch), NO_LIMIT),
    clock,
  };
  return {
    hmrc: createHmrcClient({ ...hmrc, redirectUri: 'http://localhost:3999/callback' }),
    hmrcRuns: {
      vat: { ...createHmrcClient({ ...hmrc, redirectUri: 'http://localhost:3999/callback' }), ...createVatPenaltiesClient(hmrc) },
      sa: createSelfAssessmentClient(hmrc),
    },
    hmrcAgent: createAgentAuthorisationClient(hmrc),
    hmrcSignIn: createHmrcClient({ ...hmrc, redirectUri: 'http://localhost/portal/v2/auth/callback/hmrc' }),
    ...createIdentityClients({ settings: identity, publicUrl: 'http://localhost', brand: 'Tidewater', clock, watch }),
    payments: createTrueLayerClient({ ...truelayer, fetch: watch('truelayer', fetch), clock }),
    virusScanner: clamd && createClamdClient(clamd),
    directDebits: goCardless && createGoCardlessClient({ ...goCardless, fetch: watch('gocardless', fetch) }),
    billing: createBilling(billing, watch),
  };
}
