/** Where sequences run: two instances of the portal on one database, the simulators, three operators and a clock that moves only when set. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sessions } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { freePort } from '@portal/sandbox/testing/free-port.ts';
import { openTestPortal, type TestInstance, type TestPortal } from '../../../apps/server/src/testing/open-test-portal.ts';
import { browser, createOperatorAccount, type Browser } from '../../../apps/server/src/testing/test-trader.ts';
import { makeDroppable, type DroppableDatabase } from './dropped-connections.ts';
import { deliver, openWebhookRelay, type WebhookRelay } from './webhook-relay.ts';

/** Payouts move when a sequence says so. */
const NEVER_MS = 2_000_000_000;

export type ModelInstance = TestInstance & { readonly connections: DroppableDatabase };

export type ModelTestBed = {
  readonly portal: TestPortal;
  readonly instances: readonly [ModelInstance, ModelInstance];
  readonly relay: WebhookRelay;
  /** The operators' sessions on each instance. */
  readonly operators: readonly Browser[];
  /** Waits until the bank has sent every webhook to the relay. */
  settleWebhooks(): Promise<void>;
  /** Moves the business time forward. */
  wait(milliseconds: number): void;
  close(): Promise<void>;
};

export async function openModelTestBed(): Promise<ModelTestBed> {
  const port = await freePort();
  const relay = await openWebhookRelay(port);
  const portal = await openTestPortal({ bankWebhooksTo: `http://127.0.0.1:${port}`, bankStepMs: NEVER_MS, validateOutputs: false });
  const openInstance = async (): Promise<ModelInstance> => {
    const connections = makeDroppable(portal.deps.database);
    return { ...(await portal.openInstance({ database: connections.database })), connections };
  };
  const instances = [await openInstance(), await openInstance()] as const;
  const cookies = [];
  // One approves, and above the higher limit two others release.
  for (const name of ['olga', 'omar', 'otis']) cookies.push(await createOperatorAccount(portal, `${name}@model.example`));
  // Long runs take hours of real time, in which an operator would show their factor again.
  const later = addMilliseconds(portal.deps.wallClock.now(), 30 * 86_400_000);
  await portal.deps.database.db.update(sessions).set({ createdAt: later, factorAt: later, lastSeenAt: later });
  return {
    portal,
    instances,
    relay,
    operators: cookies.map((cookie, index) => browser(instances[index % 2 === 0 ? 0 : 1], cookie)),
    settleWebhooks: async () => {
      while (portal.bank.listWebhooks().some(({ delivered_at }) => delivered_at === undefined)) await nextTurn();
    },
    wait: (milliseconds) => portal.moveClock(new Date(Date.parse(portal.deps.clock.now()) + milliseconds).toISOString()),
    close: async () => {
      for (const instance of instances) await instance.close();
      await portal.close();
      await relay.close();
    },
  };
}

/** Hands all held webhooks to an instance, in order. */
export async function deliverAll({ relay, settleWebhooks }: ModelTestBed, instance: ModelInstance): Promise<void> {
  await settleWebhooks();
  for (const webhook of relay.held.splice(0)) await deliver(instance, webhook);
}
