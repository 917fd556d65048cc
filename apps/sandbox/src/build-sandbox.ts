/** Builds and starts the sandbox from its settings: store, simulators, mailbox and control pages. Used by main.ts and the tests. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyPluginAsync } from 'fastify';
import { plainDate } from '@portal/domain/plain-date.ts';
import type { SimulatorDeps } from './simulator/simulator.ts';
import { createIdentitySimulators, IDENTITY_OPERATIONS, type IdentitySimulators } from './simulator/identity-simulators.ts';
import { openSimulatorStore, type SimulatorStore } from './simulator/simulator-store.ts';
import { openFaults, type Faults } from './simulator/faults.ts';
import { startSimulatorHost, type HostedSimulator } from './simulator/host-simulators.ts';
import { openSharedClock } from '@portal/providers/clock/shared-clock.ts';
import { BRIGHTWELL } from './seed/seed-data.ts';
import { createHmrcControls, type HmrcControls } from './hmrc/hmrc-controls.ts';
import { createHmrcSimulator, HMRC_OPERATIONS, type HmrcSimulator } from './hmrc/hmrc-simulator.ts';
import type { HmrcSimulatorDeps } from './hmrc/hmrc-context.ts';
import { type AgentControls, createAgentControls } from './hmrc-agent/agent-controls.ts';
import { openMailbox, type Mailbox } from './mail/mailbox.ts';
import { ensureSigningKey } from './truelayer/sandbox-credentials.ts';
import { createTrueLayerSimulator, TRUELAYER_OPERATIONS, type TrueLayerSimulator } from './truelayer/truelayer-simulator.ts';
import { OAKLINE } from './portfolio/oakline.ts';
import { CLAMD_OPERATIONS, openClamdSimulator } from './clamd/clamd-simulator.ts';
import { agentControlRoutes } from './hmrc-agent/agent-control-routes.ts';
import { booksControlRoutes } from './books/books-control-routes.ts';
import { bankControlRoutes } from './truelayer/bank-control-routes.ts';
import { authenticatorControlRoutes } from './control/authenticator-control-routes.ts';
import { clockControlRoutes } from './control/clock-control-routes.ts';
import { sendResult, type ControlRoute } from './control/control-call.ts';
import { createControlPlugin } from './control/control-plugin.ts';
import { faultControlRoutes } from './control/fault-control-routes.ts';
import { hmrcControlRoutes } from './hmrc/hmrc-control-routes.ts';
import { goCardlessControlRoutes } from './gocardless/gocardless-control-routes.ts';
import { createGoCardlessSimulator, GOCARDLESS_OPERATIONS } from './gocardless/gocardless-simulator.ts';
import { identityCheckControlRoutes } from './identity-check/identity-check-control-routes.ts';
import { stripeControlRoutes } from './stripe/stripe-control-routes.ts';
import { createStripeSimulator, STRIPE_OPERATIONS } from './stripe/stripe-simulator.ts';
import { indexRoutes } from './control/index-routes.ts';
import { languageModelControlRoutes } from './language-model/language-model-control-routes.ts';
import { portalControlRoutes } from './control/portal-control-routes.ts';
import { createProviderSettings } from './provider-settings.ts';
import { mailboxControlRoutes } from './mail/mailbox-control-routes.ts';
import { peopleControlRoutes } from './oidc/people-control-routes.ts';
import { registerControlRoutes } from './companies-house/register-control-routes.ts';
import type { SandboxSettings } from './sandbox-settings.ts';
import { openSmtpInbox, type SmtpInbox } from './mail/smtp-inbox.ts';
import { REPORT_PORT_OFFSET } from './mail/send-reports.ts';
import { modulrControlRoutes } from './modulr/modulr-control-routes.ts';
import { screeningControlRoutes } from './screening/screening-control-routes.ts';
import { toRegisterCompany } from './companies-house/register-company.ts';
import { visitorControlRoutes } from './control/visitor-control-routes.ts';

export type Sandbox = {
  readonly url: string;
  readonly smtpPort: number;
  close(): Promise<void>;
};

const FAULT_OPERATIONS = [
  ...HMRC_OPERATIONS,
  ...TRUELAYER_OPERATIONS,
  ...GOCARDLESS_OPERATIONS,
  ...STRIPE_OPERATIONS,
  ...IDENTITY_OPERATIONS,
  ...CLAMD_OPERATIONS,
  'mail.send',
];

/** Resolves once the sandbox is listening. Rejects with a clear message when a port is in use or another sandbox uses the data folder. */
export async function buildSandbox(settings: SandboxSettings): Promise<Sandbox> {
  mkdirSync(settings.dataDir, { recursive: true });
  const store = await openStore(settings.dataDir);
  const clock = openSharedClock(join(settings.dataDir, 'clock.json'));
  const faults = openFaults(store);
  const mailbox = openMailbox(store, clock);
  const url = `http://localhost:${settings.port}`;
  const base: Omit<SimulatorDeps, 'publicUrl'> = { store, clock, faults };
  const signingKey = ensureSigningKey(settings.dataDir);
  const trueLayer = createTrueLayerSimulator({
    ...base,
    publicUrl: `${url}/truelayer`,
    webhookUrl: `${settings.portalUrl}/portal/webhooks/truelayer`,
    publicKeyPem: signingKey.publicKeyPem,
  });
  const { goCardless, stripe } = createPaymentSimulators(base, settings, url);
  const { portalUrl } = settings;
  const identityProviders = createIdentitySimulators({ ...base, url, portalUrl, webhookUrl: portalUrl, applicationName: 'The portal' });
  const hmrcDeps = toHmrcDeps(base, settings, url, { trueLayer, identityProviders });
  const hmrc = createHmrcControls(hmrcDeps);
  const agents = createAgentControls(hmrcDeps);
  seedSandboxData(hmrc, agents, identityProviders);
  const documentedRoutes: ControlRoute[] = [
    ...authenticatorControlRoutes(),
    ...clockControlRoutes(clock, () => hmrc.advanceToClock()),
    ...mailboxControlRoutes(mailbox, identityProviders.texts),
    ...bankControlRoutes(trueLayer.controls),
    ...goCardlessControlRoutes(goCardless.controls),
    ...stripeControlRoutes(stripe.controls),
    ...hmrcControlRoutes(hmrc),
    ...agentControlRoutes(agents, clock),
    ...identityProviderRoutes(identityProviders),
    ...portalControlRoutes(createProviderSettings({ url, smtpPort: settings.smtpPort, signingKey }), clock),
    ...faultControlRoutes(faults, FAULT_OPERATIONS),
    resetRoute(store, hmrc, agents, identityProviders),
  ];
  const control = createControlPlugin([
    { method: 'GET', url: '/healthz', handler: (_request, reply) => reply.send({ status: 'ok', data_dir: settings.dataDir }) },
    ...documentedRoutes,
    ...indexRoutes({ ...settings, url }, documentedRoutes),
  ]);
  const hostedSimulators = [
    ...listHostedSimulators(control, createHmrcSimulator(hmrcDeps), trueLayer),
    { basePath: '/gocardless', plugin: goCardless.plugin },
    { basePath: '/stripe', plugin: stripe.plugin },
    ...identityProviders.hosted,
  ];
  const runningHost = await listen(hostedSimulators, settings, { store, mailbox, faults });
  const simulators = [trueLayer, goCardless, stripe, identityProviders];
  for (const simulator of simulators) simulator.start();
  return {
    url,
    smtpPort: runningHost.inbox.port,
    close: async () => {
      await Promise.all([...simulators.map((simulator) => simulator.stop()), runningHost.close()]);
      store.close();
    },
  };
}

/** Creates the simulators of the providers that collect money for us. */
function createPaymentSimulators(base: Omit<SimulatorDeps, 'publicUrl'>, { portalUrl }: SandboxSettings, url: string) {
  const toDeps = (name: string) => ({ ...base, publicUrl: `${url}/${name}`, webhookUrl: `${portalUrl}/portal/webhooks/${name}` });
  return { goCardless: createGoCardlessSimulator(toDeps('gocardless')), stripe: createStripeSimulator(toDeps('stripe')) };
}

type LinkedSimulators = { readonly trueLayer: TrueLayerSimulator; readonly identityProviders: IdentitySimulators };

/** Connects HMRC's repayments to the bank simulator, and its companies to the Companies House register. */
function toHmrcDeps(
  base: Omit<SimulatorDeps, 'publicUrl'>,
  settings: SandboxSettings,
  url: string,
  { trueLayer, identityProviders }: LinkedSimulators,
): HmrcSimulatorDeps {
  return {
    ...base,
    publicUrl: `${url}/hmrc`,
    wwwUrl: `${url}/hmrc-www`,
    redirectUris: [
      `${settings.portalUrl}/portal/hmrc/callback`,
      `${settings.portalUrl}/portal/v2/auth/callback/hmrc`,
      'http://localhost:3999/callback',
    ],
    addCompany: (company) => identityProviders.register.putCompany(toRegisterCompany(company, base.clock.today())),
    payRepayment: ({ sortCode, accountNumber, amountPence, reference }) => {
      trueLayer.controls.creditAccount({ sortCode, accountNumber, amountPence, remitterName: 'HMRC VAT', reference });
    },
  };
}

type ListenDeps = { readonly store: SimulatorStore; readonly mailbox: Mailbox; readonly faults: Faults };

/** Opens all ports or none; on failure the store is closed too. clamd’s port is the one after the mail server’s. */
async function listen(
  hostedSimulators: readonly HostedSimulator[],
  { port, smtpPort, host: hostname }: SandboxSettings,
  { store, mailbox, faults }: ListenDeps,
): Promise<{ inbox: SmtpInbox; close: () => Promise<unknown> }> {
  const openedServers: { close(): Promise<void> }[] = [];
  const close = (): Promise<unknown> => Promise.all(openedServers.map((item) => item.close()));
  try {
    openedServers.push(await openPort('SANDBOX_PORT', port, () => startSimulatorHost(hostedSimulators, port, hostname)));
    const inbox = await openPort('SANDBOX_SMTP_PORT', smtpPort, () =>
      openSmtpInbox(mailbox, faults, smtpPort, { host: hostname, reportPort: smtpPort + REPORT_PORT_OFFSET }),
    );
    openedServers.push(inbox);
    openedServers.push(await openPort('SANDBOX_SMTP_PORT', smtpPort + 1, () => openClamdSimulator(faults, smtpPort + 1, hostname)));
    return { inbox, close };
  } catch (error) {
    await close();
    store.close();
    throw error;
  }
}

function identityProviderRoutes(identityProviders: IdentitySimulators): ControlRoute[] {
  return [
    ...peopleControlRoutes(identityProviders),
    ...booksControlRoutes(identityProviders),
    ...registerControlRoutes(identityProviders.register),
    ...identityCheckControlRoutes(identityProviders.checks),
    ...modulrControlRoutes(identityProviders.accountNames),
    ...screeningControlRoutes(identityProviders.screening),
    ...languageModelControlRoutes(identityProviders.languageModel),
    ...visitorControlRoutes(identityProviders),
  ];
}

function listHostedSimulators(control: FastifyPluginAsync, hmrc: HmrcSimulator, trueLayer: TrueLayerSimulator): HostedSimulator[] {
  return [
    { basePath: '', plugin: control },
    { basePath: '/hmrc', plugin: hmrc.api },
    { basePath: '/hmrc-www', plugin: hmrc.www },
    { basePath: '/truelayer', plugin: trueLayer.plugin },
  ];
}

/** Creates Tessa Bright's company and Oakline's agent services account at HMRC. Running it again changes nothing. */
function seedSandboxData(hmrc: HmrcControls, agents: AgentControls, identityProviders: IdentitySimulators): void {
  identityProviders.seed();
  agents.seedAgent({ ...OAKLINE, userId: OAKLINE.hmrcUserId, password: OAKLINE.hmrcPassword });
  hmrc.seedOrganisation({
    userId: BRIGHTWELL.hmrcUserId,
    password: BRIGHTWELL.hmrcPassword,
    organisationName: BRIGHTWELL.organisationName,
    emailAddress: BRIGHTWELL.ownerEmail,
    vrn: BRIGHTWELL.vrn,
    vatRegistrationDate: plainDate(BRIGHTWELL.vatRegisteredOn),
    repaymentAccount: { ...BRIGHTWELL.bankAccount, accountName: BRIGHTWELL.organisationName },
  });
}

function resetRoute(store: SimulatorStore, hmrc: HmrcControls, agents: AgentControls, identityProviders: IdentitySimulators): ControlRoute {
  return {
    method: 'POST',
    url: '/control/reset',
    summary: 'Deletes all the simulators’ data and loads the seed data again. The clock doesn’t change.',
    responseExample: '{"reset": true}',
    handler: (_request, reply) => {
      store.reset();
      seedSandboxData(hmrc, agents, identityProviders);
      return sendResult(reply, { reset: true }, '/', 'All data has been deleted and the seed data loaded again.');
    },
  };
}

/** When the portal is killed, its old sandbox takes a moment to release the folder and ports, so a new sandbox retries for this long. */
const OPEN_TIMEOUT_MS = 3_000;

async function openStore(dataDir: string): Promise<SimulatorStore> {
  return retryWhileTaken(
    async () => openSimulatorStore(join(dataDir, 'doubles.sqlite')),
    (error) => /database is locked/.test(error.message),
    `Another sandbox is using ${dataDir}. Stop it, or set SANDBOX_DATA_DIR to another folder.`,
  );
}

async function openPort<Opened>(setting: string, port: number, open: () => Promise<Opened>): Promise<Opened> {
  return retryWhileTaken(
    open,
    (error) => 'code' in error && error.code === 'EADDRINUSE',
    `Port ${port} is already in use. Stop the other process, or set ${setting} to a free port.`,
  );
}

async function retryWhileTaken<Opened>(open: () => Promise<Opened>, isTaken: (error: Error) => boolean, message: string): Promise<Opened> {
  for (const deadline = Date.now() + OPEN_TIMEOUT_MS; ; await pause(100)) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof Error) || !isTaken(error)) throw error;
      if (Date.now() >= deadline) throw new Error(message, { cause: error });
    }
  }
}
