/** (settings) -> the running sandbox: store, doubles, mail, control pages. Tests and main.ts both use it. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { plainDate } from '@portal/domain/plain-date.ts';
import type { Double, DoubleDeps } from '@portal/providers/double/double.ts';
import { json } from '@portal/providers/double/answers.ts';
import { createIdentityDoubles, IDENTITY_OPERATIONS, type IdentityDoubles } from '@portal/providers/double/identity-doubles.ts';
import { openDoubleStore, type DoubleStore } from '@portal/providers/double/double-store.ts';
import { storedFaults } from '@portal/providers/double/faults.ts';
import { hostDoubles } from '@portal/providers/double/host-doubles.ts';
import { openSandboxClock } from '@portal/providers/double/sandbox-clock.ts';
import { BRIGHTWELL } from '@portal/providers/double/sandbox-world.ts';
import { hmrcControls, type HmrcControls } from '@portal/providers/hmrc/hmrc-controls.ts';
import { createHmrcDouble, HMRC_OPERATIONS } from '@portal/providers/hmrc/hmrc-sandbox.ts';
import type { HmrcDoubleDeps } from '@portal/providers/hmrc/sandbox/hmrc-context.ts';
import { agentControls, type AgentControls } from '@portal/providers/hmrc-agent/agent-controls.ts';
import { openMailbox } from '@portal/providers/mail/mailbox.ts';
import { readRegisteredKey } from '@portal/providers/truelayer/sandbox-credentials.ts';
import { createTrueLayerDouble, TRUELAYER_OPERATIONS } from '@portal/providers/truelayer/truelayer-sandbox.ts';
import { OAKLINE } from '@portal/providers/portfolio/oakline.ts';
import { agentRoutes } from './agent-routes.ts';
import { bankRoutes } from './bank-routes.ts';
import { clockRoutes } from './clock-routes.ts';
import { done, type ControlRoute } from './control-call.ts';
import { createControlDouble } from './control-double.ts';
import { faultRoutes } from './fault-routes.ts';
import { hmrcRoutes } from './hmrc-routes.ts';
import { identityCheckRoutes } from './identity-check-routes.ts';
import { indexRoutes } from './index-routes.ts';
import { mailboxRoutes } from './mailbox-routes.ts';
import { peopleRoutes } from './people-routes.ts';
import { registerRoutes } from './register-routes.ts';
import type { SandboxSettings } from './sandbox-settings.ts';
import { openSmtpInbox, type SmtpInbox } from './smtp-inbox.ts';
import { visitorRoutes } from './visitor-routes.ts';

export type Sandbox = {
  readonly url: string;
  readonly smtpPort: number;
  close(): Promise<void>;
};

/** Listens when it resolves. Rejects with a sentence where a port is taken or another sandbox holds the folder. */
export async function buildSandbox(settings: SandboxSettings): Promise<Sandbox> {
  mkdirSync(settings.dataDir, { recursive: true });
  const store = await openStore(settings.dataDir);
  const clock = openSandboxClock(join(settings.dataDir, 'clock.json'));
  const faults = storedFaults(store);
  const mailbox = openMailbox(store, clock);
  const url = `http://localhost:${settings.port}`;
  const base: Omit<DoubleDeps, 'publicUrl'> = { store, clock, faults };
  const trueLayer = createTrueLayerDouble({
    ...base,
    publicUrl: `${url}/truelayer`,
    webhookUrl: `${settings.portalUrl}/portal/webhooks/truelayer`,
    readPublicKey: () => readRegisteredKey(settings.dataDir),
  });
  const hmrcDeps: HmrcDoubleDeps = {
    ...base,
    publicUrl: `${url}/hmrc`,
    wwwUrl: `${url}/hmrc-www`,
    redirectUris: [
      `${settings.portalUrl}/portal/hmrc/callback`,
      `${settings.portalUrl}/portal/v2/auth/callback/hmrc`,
      'http://localhost:3999/callback',
    ],
    payRepayment: ({ sortCode, accountNumber, amountPence, reference }) => {
      trueLayer.controls.creditAccount({ sortCode, accountNumber, amountPence, remitterName: 'HMRC VAT', reference });
    },
  };
  const hmrc = hmrcControls(hmrcDeps);
  const agents = agentControls(hmrcDeps);
  const { portalUrl } = settings;
  const ways = createIdentityDoubles({ ...base, url, portalUrl, webhookUrl: portalUrl, applicationName: 'The portal' });
  seedWorld(hmrc, agents, ways);
  const documented: ControlRoute[] = [
    ...clockRoutes(clock, () => hmrc.advanceToClock()),
    ...mailboxRoutes(mailbox, ways.texts),
    ...bankRoutes(trueLayer.controls),
    ...hmrcRoutes(hmrc),
    ...agentRoutes(agents, clock),
    ...waysRoutes(ways),
    ...faultRoutes(faults, [...HMRC_OPERATIONS, ...TRUELAYER_OPERATIONS, ...IDENTITY_OPERATIONS, 'mail.send']),
    resetRoute(store, hmrc, agents, ways),
  ];
  const control = createControlDouble([
    { method: 'GET', path: '/healthz', answer: () => json(200, { status: 'ok', data_dir: settings.dataDir }) },
    ...documented,
    ...indexRoutes({ ...settings, url }, documented),
  ]);
  try {
    const hosted = [...hostedDoubles(control, createHmrcDouble(hmrcDeps), trueLayer), ...ways.hosted];
    const host = await openPort('SANDBOX_PORT', settings.port, () => hostDoubles(hosted, settings.port, settings.host));
    const openInbox = (): Promise<SmtpInbox> => openSmtpInbox(mailbox, faults, settings.smtpPort, settings.host);
    const inbox = await openPort('SANDBOX_SMTP_PORT', settings.smtpPort, openInbox).catch(async (error: unknown) => {
      await host.close();
      throw error;
    });
    trueLayer.start();
    ways.start();
    return {
      url,
      smtpPort: inbox.port,
      close: async () => {
        await Promise.all([trueLayer.stop(), ways.stop(), host.close(), inbox.close()]);
        store.close();
      },
    };
  } catch (error) {
    store.close();
    throw error;
  }
}

function waysRoutes(ways: IdentityDoubles): ControlRoute[] {
  return [...peopleRoutes(ways), ...registerRoutes(ways.register), ...identityCheckRoutes(ways.checks), ...visitorRoutes(ways)];
}

function hostedDoubles(control: Double, hmrc: Double, trueLayer: Double): { basePath: string; double: Double }[] {
  return [
    { basePath: '', double: control },
    { basePath: '/hmrc', double: hmrc },
    { basePath: '/hmrc-www', double: hmrc },
    { basePath: '/truelayer', double: trueLayer },
  ];
}

/** Tessa Bright's company and Oakline's agent services account at HMRC; a second time changes nothing. */
function seedWorld(hmrc: HmrcControls, agents: AgentControls, ways: IdentityDoubles): void {
  ways.seed();
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

function resetRoute(store: DoubleStore, hmrc: HmrcControls, agents: AgentControls, ways: IdentityDoubles): ControlRoute {
  return {
    method: 'POST',
    path: '/control/reset',
    summary: 'Forgets everything the doubles know and seeds the world again. The clock stays.',
    gives: '{"reset": true}',
    answer: (call) => {
      store.reset();
      seedWorld(hmrc, agents, ways);
      return done(call, { reset: true }, '/', 'Everything is forgotten, and the world is seeded again.');
    },
  };
}

/** A former sandbox whose portal was killed lets go of folder and ports within moments: so long a new one waits for it. */
const PATIENCE_MS = 3_000;

async function openStore(dataDir: string): Promise<DoubleStore> {
  return patiently(
    async () => openDoubleStore(join(dataDir, 'doubles.sqlite')),
    (error) => /database is locked/.test(error.message),
    `Another sandbox is running on ${dataDir}: stop it, or give this one its own SANDBOX_DATA_DIR.`,
  );
}

async function openPort<Opened>(setting: string, port: number, open: () => Promise<Opened>): Promise<Opened> {
  return patiently(
    open,
    (error) => 'code' in error && error.code === 'EADDRINUSE',
    `Port ${port} is in use: stop what listens there, or set ${setting} to a free one.`,
  );
}

async function patiently<Opened>(open: () => Promise<Opened>, isTaken: (error: Error) => boolean, sentence: string): Promise<Opened> {
  for (const end = Date.now() + PATIENCE_MS; ; await pause(100)) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof Error) || !isTaken(error)) throw error;
      if (Date.now() >= end) throw new Error(sentence, { cause: error });
    }
  }
}
