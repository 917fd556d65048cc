/**
 * Sends a signed webhook to a URL that a customer entered. The connection uses the address that was checked in the same look-up, so it
 * doesn't matter if the name resolves differently a moment later; redirects aren't followed.
 */
import { request as requestHttp, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import {
  createPublicConnections,
  PRIVATE_ADDRESS_MESSAGE,
  PrivateAddressError,
  type PublicConnectionOptions,
} from '../http/public-connection.ts';
import { signWebhook, type SignedMessage } from './sign-webhook.ts';

const TIMEOUT_MS = 15_000;

export type WebhookResult = {
  /** Null if no response arrived. */
  readonly status: number | null;
  /** Explains to the user why the webhook wasn't delivered; undefined if it was. */
  readonly failure: string | undefined;
  readonly durationMs: number;
};

export type WebhookSender = {
  /** Explains to the user why a URL can't be used; undefined if it can. Its host name is resolved again before each connection. */
  findAddressProblem(url: string): string | undefined;
  send(url: string, message: SignedMessage, secrets: readonly string[]): Promise<WebhookResult>;
};

export function createWebhookSender(options: PublicConnectionOptions): WebhookSender {
  const connections = createPublicConnections(options);
  const { lookup } = connections;
  const findAddressProblem = (text: string): string | undefined => connections.findAddressProblem(text, 'https://example.com/webhooks');
  return {
    findAddressProblem,
    send: async (target, message, secrets) => {
      const startedAt = performance.now();
      const problem = findAddressProblem(target);
      const postProblem =
        problem === undefined ? await postWebhook(new URL(target), message, secrets, lookup).catch(describeFailure) : problem;
      const durationMs = Math.round(performance.now() - startedAt);
      if (typeof postProblem === 'string') return { status: null, failure: postProblem, durationMs };
      const isDelivered = postProblem >= 200 && postProblem < 300;
      return { status: postProblem, failure: isDelivered ? undefined : describeStatus(postProblem), durationMs };
    },
  };
}

function postWebhook(url: URL, message: SignedMessage, secrets: readonly string[], lookup: LookupFunction): Promise<number> {
  const options: RequestOptions = {
    method: 'POST',
    lookup,
    // A reused connection would have been checked for a different delivery.
    agent: false,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(message.body)),
      'user-agent': 'portal-webhooks/1',
      'webhook-id': message.id,
      'webhook-timestamp': String(message.timestampSeconds),
      'webhook-signature': signWebhook(message, secrets),
    },
  };
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, (response) => {
      resolve(response.statusCode ?? 0);
      // Only the status matters. The body may be endless.
      response.destroy();
    });
    request.on('error', reject);
    request.end(message.body);
  });
}

function describeStatus(status: number): string {
  if (status >= 300 && status < 400) return `It responded with a redirect (${status}), which we don’t follow. Enter the final URL.`;
  return `It responded with status ${status}.`;
}

/** Describes what the receiver's owner can fix, without revealing anything about our network. */
function describeFailure(error: unknown): string {
  if (error instanceof PrivateAddressError) return PRIVATE_ADDRESS_MESSAGE;
  const { code = '', name } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError' || name === 'AbortError') return `It didn’t respond within ${TIMEOUT_MS / 1000} seconds.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'The server name couldn’t be found.';
  if (code.startsWith('CERT_') || code.includes('CERT') || code.startsWith('ERR_TLS')) return 'Its certificate isn’t valid for this URL.';
  return 'The connection failed.';
}
