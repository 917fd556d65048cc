/** Webhooks from the three providers: validly signed but with hostile contents, and wrongly signed. */
import { randomUUID } from 'node:crypto';
import { SANDBOX_GOCARDLESS } from '@portal/sandbox/gocardless/sandbox-credentials.ts';
import { SANDBOX_IDENTITY_CHECK } from '@portal/sandbox/identity-check/sandbox-credentials.ts';
import { signGoCardlessWebhook } from '@portal/providers/gocardless/gocardless-client.ts';
import { SIGNATURE_HEADER as GOCARDLESS_HEADER } from '@portal/providers/gocardless/gocardless-wire.ts';
import { SIGNATURE_HEADER as IDENTITY_HEADER } from '@portal/providers/identity-check/identity-check-wire.ts';
import { signIdentityWebhook } from '@portal/providers/identity-check/identity-webhook.ts';
import { pick, type RandomSource } from '../../chaos/random.ts';
import { pickHostileValue, writeJson } from './hostile-values.ts';
import { createHostilePerson, createTenant, type HostileTestBed } from './people.ts';

const REJECTION_STATUSES = [400, 401, 404, 409, 413, 415, 422, 498, 502];
const WEBHOOK_COUNT = 60;

type Provider = {
  readonly path: string;
  readonly event: (random: RandomSource) => Record<string, unknown>;
  readonly sign: (testBed: HostileTestBed, path: string, body: string) => Record<string, string>;
};

const now = (): string => new Date().toISOString();

const PROVIDERS: readonly Provider[] = [
  {
    path: '/webhooks/truelayer',
    event: (random) =>
      pick<Record<string, unknown>>(random, [
        {
          type: 'payout_executed',
          event_version: 1,
          event_id: randomUUID(),
          payout_id: randomUUID(),
          executed_at: now(),
          beneficiary: { type: 'external_account' },
        },
        {
          type: 'payout_failed',
          event_version: 1,
          event_id: randomUUID(),
          payout_id: randomUUID(),
          failed_at: now(),
          failure_reason: 'x',
          beneficiary: { type: 'external_account' },
        },
        {
          type: 'external_payment_received',
          event_version: 1,
          event_id: randomUUID(),
          transaction_id: randomUUID(),
          merchant_account_id: randomUUID(),
          amount_in_minor: 100,
          currency: 'GBP',
          settled_at: now(),
          remitter: { name: 'x' },
        },
        { type: 'something_new', event_version: 1, event_id: randomUUID() },
      ]),
    sign: ({ keys }, path, body) => keys.sign(`/portal${path}`, body),
  },
  {
    path: '/webhooks/gocardless',
    event: () => ({
      events: [
        {
          id: `EV${randomUUID()}`,
          created_at: now(),
          resource_type: 'payments',
          action: 'paid_out',
          links: { payment: 'PM123' },
          details: { origin: 'bank', cause: 'x', description: 'x' },
        },
      ],
      meta: { webhook_id: 'WB1' },
    }),
    sign: (_stage, _path, body) => ({ [GOCARDLESS_HEADER]: signGoCardlessWebhook(SANDBOX_GOCARDLESS.webhookSecret, body) }),
  },
  {
    path: '/webhooks/identity-check',
    event: () => ({
      id: randomUUID(),
      type: 'check.completed',
      created_at: now(),
      check: { id: randomUUID(), reference: randomUUID(), status: 'passed' },
    }),
    sign: (_stage, _path, body) => ({
      [IDENTITY_HEADER]: signIdentityWebhook(SANDBOX_IDENTITY_CHECK.webhookSecret, Math.floor(Date.now() / 1000), body),
    }),
  },
];

export async function runWebhookSequence(testBed: HostileTestBed): Promise<void> {
  const person = createHostilePerson(testBed, createTenant(testBed));
  for (let sentCount = 0; sentCount < WEBHOOK_COUNT; sentCount += 1) {
    const { path, event, sign } = pick(testBed.random, PROVIDERS);
    const body =
      testBed.random() < 0.1
        ? pick(testBed.random, ['', '[]', 'null', '{', '\0'])
        : writeJson(testBed.random() < 0.2 ? event(testBed.random) : pickHostileValue(testBed.random, event(testBed.random)));
    const signature = testBed.random() < 0.75 ? sign(testBed, path, body) : sign(testBed, path, `${body} `);
    await person.post(
      path,
      { body, headers: { 'content-type': 'application/json', ...signature } },
      { corrupted: 2, mayEnd: REJECTION_STATUSES },
    );
  }
}
