/** The examples on the developers' page. A test runs each of them against a portal, with the environment variables that they use. */

/** URL of the typed client that the portal serves. */
export const API_CLIENT_PATH = '/developers/portal-client.ts';

/** Adds clients to a practice in a new sandbox, some of them overdue. Takes about a minute (docs/figures.md). */
export const LOAD_SANDBOX_CLIENTS = 'npm run portfolio -- --clients 30 --load';

/** Where the example receiver listens. */
export const LOCAL_RECEIVER = 'http://localhost:8787';

export const OVERDUE_WITH_CURL = `curl --fail-with-body --get "$PORTAL_URL/portal/open-tax/client-companies" \\
  --header "Authorization: Bearer $PORTAL_API_KEY" \\
  --data-urlencode "has=overdue_any" \\
  --data-urlencode "limit=50"`;

export const DOWNLOAD_CLIENT = `curl --fail --output portal-client.ts "$PORTAL_URL/portal${API_CLIENT_PATH}"`;

export const OVERDUE_WITH_TYPESCRIPT = `import { createPortalClient } from './portal-client.ts';

const portal = createPortalClient({ url: process.env.PORTAL_URL ?? '', apiKey: process.env.PORTAL_API_KEY ?? '' });

let cursor: string | undefined;
do {
  const page = await portal.call('GET /open-tax/client-companies', { has: 'overdue_any', limit: 50, cursor });
  for (const client of page.clients) console.log(client.name, client.next_due_on);
  cursor = page.next_cursor ?? undefined;
} while (cursor !== undefined);`;

export const ADD_NOTE_WITH_CURL = `curl --fail-with-body "$PORTAL_URL/portal/client/notes" \\
  --header "Authorization: Bearer $PORTAL_API_KEY" \\
  --header "Content-Type: application/json" \\
  --header "Idempotency-Key: note-2026-11-27-0001" \\
  --data "{\\"client_id\\":\\"$CLIENT_ID\\",\\"text\\":\\"Sent by our nightly report\\"}"`;

export const RECEIVE_WITH_TYPESCRIPT = `import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';

const secret = Buffer.from((process.env.WEBHOOK_SECRET ?? '').replace('whsec_', ''), 'base64');
const MAX_AGE_SECONDS = 5 * 60;

function isOurs(headers: IncomingHttpHeaders, body: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > MAX_AGE_SECONDS) return false;
  const expected = createHmac('sha256', secret).update(\`\${id}.\${timestamp}.\${body}\`).digest();
  return String(signatures)
    .split(' ')
    .map((signature) => Buffer.from(signature.replace('v1,', ''), 'base64'))
    .some((found) => found.length === expected.length && timingSafeEqual(found, expected));
}

const received = new Set<string>();

createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  if (!isOurs(request.headers, body)) return response.writeHead(401).end();
  const id = String(request.headers['webhook-id']);
  // The same webhook may arrive twice.
  if (!received.has(id)) console.log(body);
  received.add(id);
  response.writeHead(204).end();
}).listen(Number(process.env.PORT ?? 8787), () => console.log('listening'));`;
