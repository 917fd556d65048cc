/**
 * The environment for sequences: two instances of the portal on one database, the simulators, three operators, a trader, and a clock that
 * moves only when set.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sessions } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { findFreePort } from '@portal/sandbox/testing/find-free-port.ts';
import { waitForFilingOutcomes } from '../../../apps/server/src/features/vat-returns/store-filing-outcome.ts';
import type { PausableWork } from '../../../apps/server/src/paused-work.ts';
import { openTestPortal, type TestInstance, type TestPortal } from '../../../apps/server/src/testing/open-test-portal.ts';
import {
  createBrowser,
  createConnectedTrader,
  createOperatorAccount,
  type Browser,
  type Trader,
} from '../../../apps/server/src/testing/test-trader.ts';
import { makeDroppable, type Connections } from './dropped-connections.ts';
import { saveDatabase } from '../../../apps/server/src/testing/save-database.ts';
import { deliver, openWebhookRelay, type WebhookRelay } from './webhook-relay.ts';

/** Payouts and Direct Debits advance only when a sequence advances them. */
const NEVER_MS = 2_000_000_000;
const FILING_OUTCOMES_TIMEOUT_MS = 60_000;

export type ModelInstance = TestInstance & { readonly connections: Connections };

export type ModelTestBed = {
  readonly portal: TestPortal;
  readonly instances: readonly [ModelInstance, ModelInstance];
  readonly relay: WebhookRelay;
  /** What the engineer on call has stopped, on every instance. */
  readonly paused: Set<PausableWork>;
  /** The operators' sessions on each instance. */
  readonly operators: readonly Browser[];
  /** A trader that is fully set up, except for books. */
  readonly trader: Trader;
  /** Returns a function that restores the database, simulators and clock to their current state. */
  save(name: string): Promise<() => Promise<void>>;
  /** Waits until the bank has sent every webhook to the relay. */
  settleWebhooks(): Promise<void>;
  /** Moves business time forward. */
  wait(milliseconds: number): void;
  waitUntil(instant: string): void;
  close(): Promise<void>;
};

/** `connections`: those of all instances, if they are dropped externally. Default: each instance's own, in its database object. */
export async function openModelTestBed(connections?: Connections): Promise<ModelTestBed> {
  const port = await findFreePort();
  const relay = await openWebhookRelay(port);
  const portal = await openTestPortal({
    bankWebhooksTo: `http://127.0.0.1:${port}`,
    bankStepMs: NEVER_MS,
    directDebitStepMs: NEVER_MS,
    validateOutputs: false,
    preparesStatements: true,
    survivesLostConnections: connections !== undefined,
  });
  const paused = new Set<PausableWork>();
  const openInstance = async (): Promise<ModelInstance> => {
    if (connections) return { ...(await portal.openInstance({ paused })), connections };
    const droppableDatabase = makeDroppable(portal.deps.database);
    return { ...(await portal.openInstance({ paused, database: droppableDatabase.database })), connections: droppableDatabase };
  };
  const instances = [await openInstance(), await openInstance()] as const;
  const cookies = [];
  // One of them approves; above the higher limit, the other two release.
  for (const name of ['olga', 'omar', 'otis']) cookies.push(await createOperatorAccount(portal, `${name}@model.example`));
  // Long runs take hours of real time, after which an operator would have to confirm a second factor again.
  const laterTime = addMilliseconds(portal.deps.wallClock.now(), 30 * 86_400_000);
  const trader = await createConnectedTrader(portal, 'seller@model.example', null);
  await portal.deps.database.db.update(sessions).set({ createdAt: laterTime, factorAt: laterTime, lastSeenAt: laterTime });
  await portal.runJobs();
  portal.bank.setPayingBalance(500_000_000);
  // Creates the bank's signing key, so that all sequences have the same one.
  await fetch(`${portal.sandboxUrl}/truelayer/.well-known/jwks`);
  const waitUntil = (instant: string): void => {
    portal.moveClock(instant);
    portal.directDebits.followClock();
  };
  const settleWebhooks = async (): Promise<void> => {
    const isSent = ({ delivered_at }: { readonly delivered_at?: string }): boolean => delivered_at !== undefined;
    while (!portal.bank.listWebhooks().every(isSent) || !portal.directDebits.listWebhooks().every(isSent)) await nextTurn();
  };
  return {
    portal,
    instances,
    relay,
    paused,
    operators: cookies.map((cookie, index) => createBrowser(instances[index % 2 === 0 ? 0 : 1], cookie)),
    trader,
    save: async (name) => {
      await settleWebhooks();
      const restoreDatabase = await saveDatabase(portal.deps.database, name);
      const restoreSimulators = portal.saveSimulators();
      const savedAt = portal.deps.clock.now();
      return async () => {
        await settleWebhooks();
        for (const { connections } of instances) connections.heal();
        // Otherwise it would be stored in the next sequence, in the middle of a restore.
        await waitForFilingOutcomes(FILING_OUTCOMES_TIMEOUT_MS);
        portal.moveClock(savedAt);
        await restoreDatabase();
        restoreSimulators();
        relay.held.length = 0;
        paused.clear();
        portal.sentEmails.length = 0;
      };
    },
    settleWebhooks,
    wait: (milliseconds) => waitUntil(new Date(Date.parse(portal.deps.clock.now()) + milliseconds).toISOString()),
    waitUntil,
    close: async () => {
      for (const instance of instances) await instance.close();
      await portal.close();
      await relay.close();
    },
  };
}

/** Delivers all held webhooks to an instance, in order. */
export async function deliverAll({ relay, settleWebhooks }: ModelTestBed, instance: ModelInstance): Promise<void> {
  await settleWebhooks();
  for (const webhook of relay.held.splice(0)) await deliver(instance, webhook);
}
