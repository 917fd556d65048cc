/**
 * Generates a TypeScript client of the API from its OpenAPI document: a single file without dependencies, which the portal serves. It
 * contains the calls that an API key can make.
 */
import type { ApiDocument } from './api-document.ts';

type Schema = {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
};
type Content = Readonly<Record<string, { readonly schema?: Schema }>>;
type Operation = {
  readonly summary: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};

const JSON_TYPE = 'application/json';
const TENANT = 'company_id';

export function writeApiClient(api: ApiDocument): string {
  const calls = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => writeCall(method.toUpperCase(), path, operation as unknown as Operation)),
  );
  // Use a function, because a replacement string interprets special patterns such as `$&`.
  return CLIENT_TEMPLATE.replace('/* CALLS */', () => calls.join('\n'));
}

/** Returns an empty list for an endpoint without a scope, or one that returns a file. */
function writeCall(method: string, path: string, operation: Operation): readonly string[] {
  const scope = operation.security.flatMap(({ apiKey }) => apiKey ?? []).at(0);
  const output = operation.responses['200']?.content?.[JSON_TYPE]?.schema;
  if (scope === undefined || output === undefined) return [];
  const query = operation.parameters.filter((parameter) => parameter.in === 'query');
  const fields = query.map(
    ({ name, required, schema }) => `${writeName(name)}${required && name !== TENANT ? '' : '?'}: ${writeType(schema)}`,
  );
  const body = operation.requestBody?.content[JSON_TYPE]?.schema;
  const input = body ? writeType(omitRequired(body, TENANT)) : `{ ${fields.join('; ')} }`;
  const comment = `  /** ${operation.summary.replaceAll('*/', '')} Scope: ${scope}. */`;
  return [`${comment}\n  '${method} ${path}': { input: ${input}; output: ${writeType(output)} };`];
}

/** A key belongs to one company, so its calls may omit `company_id`. */
function omitRequired(schema: Schema, name: string): Schema {
  return { ...schema, required: (schema.required ?? []).filter((item) => item !== name) };
}

function writeType(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(writeType))].join(' | ');
  if (schema.allOf) return schema.allOf.map((item) => `(${writeType(item)})`).join(' & ');
  if (Array.isArray(schema.type)) return schema.type.map((type: string) => writeType({ ...schema, type })).join(' | ');
  switch (schema.type) {
    case 'object':
      return writeObject(schema);
    case 'array':
      return `Array<${schema.items ? writeType(schema.items) : 'unknown'}>`;
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return String(schema.type);
    default:
      return 'unknown';
  }
}

function writeObject({ properties, required = [], additionalProperties }: Schema): string {
  if (!properties || Object.keys(properties).length === 0) {
    return typeof additionalProperties === 'object' ? `Record<string, ${writeType(additionalProperties)}>` : 'Record<string, unknown>';
  }
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${writeName(name)}${required.includes(name) ? '' : '?'}: ${writeType(schema)}`,
  );
  return `{ ${fields.join('; ')} }`;
}

const writeName = (name: string): string => (/^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name));

const CLIENT_TEMPLATE = `// The portal's API, typed. Written from the API document (/portal/api-docs). It needs only fetch: Node 18 or later, Deno, Bun or a browser.

/** Every call that an API key can make: its input, and its answer. Amounts ending in _pence are whole pence; dates are YYYY-MM-DD. */
export type Calls = {
/* CALLS */
};

export type CallName = keyof Calls;
export type Options = {
  /** Makes a write safe to repeat for 30 days: 8 to 200 characters that identify it. */
  idempotencyKey?: string;
  signal?: AbortSignal;
};

/** An answer that isn't a success (RFC 9457). */
export class PortalError extends Error {
  readonly status: number;
  /** Machine-readable, for example "api_key.scope_missing". */
  readonly code: string;
  /** Quote it when you ask us for help. */
  readonly requestId: string;
  /** How long to wait after 429 and 503. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, problem: { code?: string; message?: unknown; request_id?: string }, retryAfter: string | null) {
    const { message = 'The request failed' } = problem;
    super(typeof message === 'string' ? message : JSON.stringify(message));
    this.name = 'PortalError';
    this.status = status;
    this.code = problem.code ?? '';
    this.requestId = problem.request_id ?? '';
    this.retryAfterSeconds = retryAfter === null ? undefined : Number(retryAfter);
  }
}

/** \`url\`: where you log in, for example "https://portal.example". Keep the key on a server. */
export function createPortalClient({ url, apiKey }: { url: string; apiKey: string }) {
  async function call<Name extends CallName>(name: Name, input: Calls[Name]['input'], options: Options = {}): Promise<Calls[Name]['output']> {
    const [method = 'GET', path = ''] = name.split(' ');
    const target = new URL(\`/portal\${path}\`, url);
    if (method === 'GET') {
      for (const [key, value] of Object.entries(input)) if (value !== undefined) target.searchParams.set(key, String(value));
    }
    const response = await fetch(target, {
      method,
      headers: {
        authorization: \`Bearer \${apiKey}\`,
        accept: 'application/json',
        ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
        ...(options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }),
      },
      ...(method === 'GET' ? {} : { body: JSON.stringify(input) }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    const body = await response.json();
    if (!response.ok) throw new PortalError(response.status, body as { code?: string }, response.headers.get('retry-after'));
    return body as Calls[Name]['output'];
  }
  return { call };
}
`;
