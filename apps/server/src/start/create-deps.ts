/** Creates the features' dependencies from the settings. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Database } from '@portal/db/database.ts';
import { findScope } from '@portal/db/tenant-scope.ts';
import { systemClock } from '@portal/domain/clock.ts';
import { openSharedClock } from '@portal/providers/clock/shared-clock.ts';
import type { CallPriority } from '@portal/providers/http/call-queue.ts';
import { rateLimitFetch } from '@portal/providers/http/rate-limit-fetch.ts';
import { createRateLimiter } from '@portal/providers/http/rate-limiter.ts';
import { retryThrottledReads } from '@portal/providers/http/retry-throttled.ts';
import { createClamdClient } from '@portal/providers/clamd/clamd-client.ts';
import { createGoCardlessClient } from '@portal/providers/gocardless/gocardless-client.ts';
import { createHmrcClient } from '@portal/providers/hmrc/hmrc-client.ts';
import { createAgentAuthorisationClient } from '@portal/providers/hmrc-agent/agent-authorisation-client.ts';
import { createSelfAssessmentClient } from '@portal/providers/hmrc-agent/self-assessment-client.ts';
import { createVatPenaltiesClient } from '@portal/providers/hmrc-agent/vat-penalties-client.ts';
import { createAppDocuments } from '@portal/providers/app-documents/app-documents.ts';
import { createWebhookSender } from '@portal/providers/webhooks/webhook-sender.ts';
import { createBilling } from './create-billing.ts';
import { createTrueLayerClient } from '@portal/providers/truelayer/truelayer-client.ts';
import type { Logger } from 'pino';
import type { AppDeps, Site } from '../app-deps.ts';
import { createHealthRecorder, type WatchFetch } from '../features/operations/provider-health.ts';
import { pauseProvider, createSharedRateLimiter } from '../features/sync/shared-rate-limiter.ts';
import { HMRC_CALLBACK_PATH } from '../features/hmrc-connection/authorisation-callback-routes.ts';
import type { Enqueue } from '../jobs/job-kinds.ts';
import { createMailer } from '../mail/mailer.ts';
import { withReportAddresses } from '../mail/report-address.ts';
import type { Metrics } from '../observability/metrics.ts';
import { observeCalls } from '../observability/observe-calls.ts';
import { createSecurityLog } from '../observability/security-log.ts';
import { pauseWithTimer } from '../pause.ts';
import { PAUSABLE_WORK } from '../paused-work.ts';
import { createTokenCipher } from '../secrets/token-cipher.ts';
import type { Settings } from '../settings.ts';
import { describeSandbox } from './describe-sandbox.ts';
import { ensureTokenKey } from './generated-key.ts';
import { createIdentityClients, SIGN_IN_CALLBACK_PATH } from './identity-clients.ts';
import { toAnalyticsScript, createChat } from './page-scripts.ts';

/** The share of HMRC's rate limit that we use. Below 1, because not all requests take equally long to arrive. */
const HMRC_SHARE_USED = 0.97;
const HMRC_TIMEOUT_MS = 15_000;

type OpenedDeps = {
  readonly database: Database;
  readonly enqueue: Enqueue;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly version: string;
};

export function createDeps(settings: Settings, { database, enqueue, logger, metrics, version }: OpenedDeps): AppDeps {
  const { sandbox, hmrc, truelayer } = settings;
  // The sandbox's clock may only differ from the computer's if no provider is real.
  const clock = sandbox.isComplete ? openSharedClock(join(sandbox.dataDir, 'clock.json')) : systemClock;
  const chat = createChat(settings.chat, clock);
  const tokenKeys = settings.tokenEncryptionKeys ?? [ensureTokenKey(settings.dataDir)];
  const hmrcOptions = {
    apiUrl: hmrc.apiUrl,
    authorizeUrl: `${hmrc.wwwUrl}/oauth/authorize`,
    clientId: hmrc.clientId,
    clientSecret: hmrc.clientSecret,
    clock,
  };
  // All clients and instances share one rate limit, because HMRC limits the application as a whole.
  const perSecond = hmrc.callsPerSecond * HMRC_SHARE_USED;
  const sharedLimiter = createSharedRateLimiter(database, 'hmrc', 1000 / perSecond);
  const onWaiting = (priority: CallPriority, count: number): void => metrics.hmrcWaiting.set({ priority }, count);
  const rateLimiter = createRateLimiter({ perSecond, limit: hmrc.callsPerSecond, shared: sharedLimiter, onWaiting });
  const recordPause = (ms: number): Promise<void> => pauseProvider(database, 'hmrc', ms);
  const { watch: watchHealth, watchMailer, watchScanner } = createHealthRecorder(database, clock, logger);
  const observe = observeCalls(metrics);
  const watch: WatchFetch = (provider, send) => watchHealth(provider, observe(provider, send));
  metrics.hmrcLimit.set(hmrc.callsPerSecond);
  if (settings.paused.size > 0) logger.warn({ paused: [...settings.paused] }, 'PAUSED: this work is stopped on purpose');
  for (const work of PAUSABLE_WORK) metrics.paused.set({ work }, settings.paused.has(work) ? 1 : 0);
  const hmrcFetch = watch('hmrc', fetch);
  const createLimiter = (priority: CallPriority) =>
    rateLimitFetch(hmrcFetch, rateLimiter, { priority, timeoutMs: HMRC_TIMEOUT_MS, findKey: findCallKey });
  const interactive = { ...hmrcOptions, fetch: retryThrottledReads(createLimiter('interactive'), { recordPause }) };
  const background = { ...hmrcOptions, fetch: createLimiter('background') };
  const redirectUri = `${settings.publicUrl}${HMRC_CALLBACK_PATH}`;
  // A simulator or script on this computer may receive webhooks. If others can reach the sandbox, they would reach our network through it.
  const allowsPrivateAddresses = settings.sandbox.hmrc && !settings.isPublic;
  return {
    database,
    clock,
    wallClock: systemClock,
    pause: pauseWithTimer,
    enqueue,
    logger,
    metrics,
    recordSecurityEvent: createSecurityLog(logger, metrics, tokenKeys[0] ?? ''),
    hmrc: createHmrcClient({ ...interactive, redirectUri }),
    hmrcRuns: {
      vat: { ...createHmrcClient({ ...background, redirectUri }), ...createVatPenaltiesClient(background) },
      sa: createSelfAssessmentClient(background),
    },
    hmrcAgent: createAgentAuthorisationClient(interactive),
    hmrcSignIn: createHmrcClient({ ...interactive, redirectUri: `${settings.publicUrl}${SIGN_IN_CALLBACK_PATH}/hmrc` }),
    ...createIdentityClients({
      settings: settings.identity,
      publicUrl: settings.publicUrl,
      brand: settings.brand,
      clock,
      watch,
    }),
    chat: chat.chat,
    payments: createTrueLayerClient({ ...truelayer, fetch: watch('truelayer', fetch), clock }),
    directDebits: settings.goCardless && createGoCardlessClient({ ...settings.goCardless, fetch: watch('gocardless', fetch) }),
    webhooks: createWebhookSender({ allowsPrivateAddresses }),
    appDocuments: createAppDocuments({ allowsPrivateAddresses }),
    virusScanner: settings.clamd && watchScanner(createClamdClient(settings.clamd)),
    billing: createBilling(settings.billing, watch),
    mailer: watchMailer(
      withReportAddresses(createMailer(settings.mail), { database, wallClock: systemClock, logger }, settings.mailReports?.domain),
    ),
    tokenCipher: createTokenCipher(tokenKeys),
    auditHeadsFile: settings.auditHeadsFile,
    instanceId: randomUUID(),
    paused: settings.paused,
    site: toSite(settings, version, chat.script),
  };
}

/** Returns the user or company on whose behalf a provider is called: the request's user, or the job's company. */
function findCallKey(): string {
  const scope = findScope();
  if (scope?.kind === 'tenant' && scope.actorId.startsWith('job: ')) return scope.tenantId;
  return scope?.kind === 'tenant' || scope?.kind === 'system' ? scope.actorId : '';
}

function toSite(settings: Settings, version: string, chat: Site['chat']): Site {
  const { hmrc, truelayer, mail, url } = settings.sandbox;
  return {
    brand: settings.brand,
    publicUrl: settings.publicUrl,
    appHost: settings.appHost,
    chat,
    analytics: toAnalyticsScript(settings.analytics),
    contact: settings.contact,
    website: settings.website,
    sandboxUrl: hmrc || truelayer || mail ? url : null,
    isHmrcSimulated: hmrc,
    sandboxText: describeSandbox(settings),
    showsDevelopmentPages: settings.showsDevelopmentPages,
    hmrcRepaymentAccountUrl: `${settings.hmrc.wwwUrl}/business-account/repayment-account`,
    vendorPublicIp: settings.vendorPublicIp,
    version,
  };
}
