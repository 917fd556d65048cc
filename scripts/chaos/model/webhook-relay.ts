/** Receives the bank's webhooks in place of the portal. A sequence decides when, how often and in which order to deliver them. */
import { createServer } from 'node:http';
import type { TestInstance } from '../../../apps/server/src/testing/open-test-portal.ts';

export type HeldWebhook = { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: Buffer };

export type WebhookRelay = {
  readonly held: HeldWebhook[];
  close(): Promise<void>;
};

export async function openWebhookRelay(port: number): Promise<WebhookRelay> {
  const heldWebhooks: HeldWebhook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
      );
      heldWebhooks.push({ url: request.url ?? '', headers, body: Buffer.concat(chunks) });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    held: heldWebhooks,
    close: () =>
      new Promise((resolve, reject) => {
        server.closeAllConnections();
        server.close((error) => (error ? reject(error) : resolve()));
      }),
  };
}

/** Delivers a webhook and returns the instance's status. */
export async function deliver({ app }: TestInstance, { url, headers, body }: HeldWebhook): Promise<number> {
  const { statusCode } = await app.inject({ method: 'POST', url, headers, payload: body });
  return statusCode;
}
