/** Bookkeeping software webhooks: hints that an organisation has changed (docs/reference/providers.md sections 1 and 2). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { parseJson } from '../http/parse-json.ts';

export type WebhookCall = { readonly headers: IncomingHttpHeaders; readonly rawBody: Uint8Array };

/** Returns the organisations that have changed, without duplicates; undefined if the signature is wrong. */
export type ReadBooksWebhook = (call: WebhookCall) => readonly string[] | undefined;

const xeroWire = z.object({ events: z.array(z.object({ tenantId: z.string() })) });
/** An array of CloudEvents since 2026; `eventNotifications` before that. */
const intuitWire = z.union([
  z.array(z.object({ intuitaccountid: z.string() })),
  z.object({ eventNotifications: z.array(z.object({ realmId: z.string() })) }),
]);

export function createXeroWebhook(key: string): ReadBooksWebhook {
  return (call) => {
    if (!isSigned(call, 'x-xero-signature', key)) return undefined;
    const parsed = xeroWire.safeParse(readBody(call));
    return parsed.success ? unique(parsed.data.events.map(({ tenantId }) => tenantId)) : [];
  };
}

export function createIntuitWebhook(verifierToken: string): ReadBooksWebhook {
  return (call) => {
    if (!isSigned(call, 'intuit-signature', verifierToken)) return undefined;
    const parsed = intuitWire.safeParse(readBody(call));
    if (!parsed.success) return [];
    if (Array.isArray(parsed.data)) return unique(parsed.data.map(({ intuitaccountid }) => intuitaccountid));
    return unique(parsed.data.eventNotifications.map(({ realmId }) => realmId));
  };
}

/** Both providers sign the raw body with HMAC-SHA256, in base64. */
function isSigned({ headers, rawBody }: WebhookCall, header: string, key: string): boolean {
  const signature = headers[header];
  if (typeof signature !== 'string') return false;
  const [statedMac, expectedMac] = [Buffer.from(signature, 'base64'), createHmac('sha256', key).update(rawBody).digest()];
  return statedMac.length === expectedMac.length && timingSafeEqual(statedMac, expectedMac);
}

function readBody({ rawBody }: WebhookCall): unknown {
  return parseJson(Buffer.from(rawBody).toString('utf8'));
}

const unique = (ids: readonly string[]): string[] => [...new Set(ids)];
