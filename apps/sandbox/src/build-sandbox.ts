/** (settings) -> the running sandbox: store, doubles, mail, control pages. Tests and main.ts both use it. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { json, type Double, type DoubleDeps } from '@portal/providers/double/double.ts';
import { openDoubleStore, type DoubleStore } from '@portal/providers/double/double-store.ts';
import { storedFaults } from '@portal/providers/double/faults.ts';
import { hostDoubles } from '@portal/providers/double/host-doubles.ts';
import { openSandboxClock } from '@portal/providers/double/sandbox-clock.ts';
import { openMailbox } from '@portal/providers/mail/mailbox.ts';
import { readRegisteredKey } from '@portal/providers/truelayer/sandbox-credentials.ts';
import { createTrueLayerDouble, TRUELAYER_OPERATIONS } from '@portal/providers/truelayer/truelayer-sandbox.ts';
import { bankRoutes } from './bank-routes.ts';
import { clockRoutes } from './clock-routes.ts';
import { done, type ControlRoute } from './control-call.ts';
import { createControlDouble } from './control-double.ts';
import { faultRoutes } from './fault-routes.ts';
import { indexRoutes } from './index-routes.ts';
import { mailboxRoutes } from './mailbox-routes.ts';
import type { SandboxSettings } from './sandbox-settings.ts';
import { openSmtpInbox } from './smtp-inbox.ts';

export type Sandbox = {
  readonly url: string;
  readonly smtpPort: number;
  close(): Promise<void>;
};

/** Listens when it resolves. Rejects with a sentence where a port is taken or another sandbox holds the folder. */
export async function buildSandbox(settings: SandboxSettings): Promise<Sandbox> {
  mkdirSync(settings.dataDir, { recursive: true });
  const store = openStore(settings.dataDir);
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
  const documented: ControlRoute[] = [
    ...clockRoutes(clock),
    ...mailboxRoutes(mailbox),
    ...bankRoutes(trueLayer.controls),
    ...faultRoutes(faults, [...TRUELAYER_OPERATIONS, 'mail.send']),
    resetRoute(store),
  ];
  const control = createControlDouble([
    { method: 'GET', path: '/healthz', answer: () => json(200, { status: 'ok' }) },
    ...documented,
    ...indexRoutes({ ...settings, url }, documented),
  ]);
  try {
    const inbox = await openPort('SANDBOX_SMTP_PORT', settings.smtpPort, () =>
      openSmtpInbox(mailbox, faults, settings.smtpPort, settings.host),
    );
    const hosted = hostedDoubles(control, trueLayer);
    const host = await openPort('SANDBOX_PORT', settings.port, () => hostDoubles(hosted, settings.port, settings.host)).catch(
      async (error: unknown) => {
        await inbox.close();
        throw error;
      },
    );
    trueLayer.start();
    return {
      url,
      smtpPort: inbox.port,
      close: async () => {
        await Promise.all([trueLayer.stop(), host.close(), inbox.close()]);
        store.close();
      },
    };
  } catch (error) {
    store.close();
    throw error;
  }
}

function hostedDoubles(control: Double, trueLayer: Double): { basePath: string; double: Double }[] {
  return [
    { basePath: '', double: control },
    { basePath: '/truelayer', double: trueLayer },
  ];
}

function resetRoute(store: DoubleStore): ControlRoute {
  return {
    method: 'POST',
    path: '/control/reset',
    summary: 'Forgets everything the doubles know and seeds the world again. The clock stays.',
    gives: '{"reset": true}',
    answer: (call) => {
      store.reset();
      return done(call, { reset: true }, '/', 'Everything is forgotten, and the world is seeded again.');
    },
  };
}

function openStore(dataDir: string): DoubleStore {
  try {
    return openDoubleStore(join(dataDir, 'doubles.sqlite'));
  } catch (error) {
    if (error instanceof Error && /database is locked/.test(error.message)) {
      throw new Error(`Another sandbox is running on ${dataDir}: stop it, or give this one its own SANDBOX_DATA_DIR.`, { cause: error });
    }
    throw error;
  }
}

async function openPort<Opened>(setting: string, port: number, open: () => Promise<Opened>): Promise<Opened> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw new Error(`Port ${port} is in use: stop what listens there, or set ${setting} to a free one.`, { cause: error });
    }
    throw error;
  }
}
