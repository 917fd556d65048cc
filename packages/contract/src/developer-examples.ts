/** The examples of the developers' page. A test runs each against a portal, with PORTAL_URL and PORTAL_API_KEY set. */

/** Address of the typed client that the portal serves. */
export const API_CLIENT_PATH = '/developers/portal-client.ts';

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
