/**
 * Calls an endpoint of the portal from a tool exactly as an app would over HTTP, with the same session, scopes, policies, tenant rows,
 * limits and listed fields. So a tool can't reach a client that its user can't see.
 */
import type { Endpoint, EndpointInput, EndpointOutput } from '@portal/contract/endpoint.ts';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { z } from 'zod';
import { runAsToolCall } from './tool-call.ts';

/** The error that the assistant reads instead of a result. `code` is machine-readable. */
export class ToolError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export type CallPortal = <E extends Endpoint>(endpoint: E, input: Omit<EndpointInput<E>, 'company_id'>) => Promise<EndpointOutput<E>>;

type Caller = { readonly token: string; readonly companyId: string; readonly ip: string; readonly userAgent: string };

export function createCallPortal(app: FastifyInstance, { token, companyId, ip, userAgent }: Caller): CallPortal {
  return async (endpoint, input) => {
    const completeInput = { ...input, company_id: companyId };
    const request: InjectOptions = {
      method: endpoint.method,
      url: `/portal${endpoint.path}`,
      ...toRequestOptions(endpoint, completeInput),
      headers: { authorization: `Bearer ${token}`, 'user-agent': userAgent },
      remoteAddress: ip,
    };
    // Awaited here, because Fastify only sends the request when it is awaited.
    const toolResponse = await runAsToolCall(async () => await app.inject(request));
    const body: unknown = parseJsonText(toolResponse.body);
    if (toolResponse.statusCode !== 200) throw toToolError(body);
    return body as EndpointOutput<typeof endpoint>;
  };
}

function toRequestOptions({ method }: Endpoint, input: Readonly<Record<string, unknown>>): Pick<InjectOptions, 'query' | 'payload'> {
  const presentInput = Object.entries(input).filter(([, value]) => value !== undefined);
  if (method !== 'GET') return { payload: Object.fromEntries(presentInput) };
  return { query: Object.fromEntries(presentInput.map(([name, value]) => [name, String(value)])) };
}

function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const problem = z.object({ code: z.string(), message: z.union([z.string(), z.record(z.string(), z.string())]) });

/** The portal's own error messages: they explain what to do, and contain nothing internal (http/send-errors.ts). */
function toToolError(body: unknown): ToolError {
  const { data } = problem.safeParse(body);
  if (!data) return new ToolError('server.bug', 'The portal didn’t respond. Try again in a few minutes.');
  const { code, message } = data;
  if (code === 'request.not_found') return new ToolError(code, 'Not found, or the user isn’t allowed to see it.');
  const fields = typeof message === 'string' ? [] : Object.entries(message).map(([field, reason]) => `${field}: ${reason}`);
  return new ToolError(code, typeof message === 'string' ? message : fields.join(' '));
}
