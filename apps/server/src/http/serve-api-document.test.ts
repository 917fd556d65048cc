/** Tests the API document as API users see it. */
import { ALL_ENDPOINTS } from '@portal/contract/all-endpoints.ts';
import type { ApiDocument } from '@portal/contract/api-document.ts';
import type { Endpoint } from '@portal/contract/endpoint.ts';
import { FILE_ENDPOINTS } from '@portal/contract/file-endpoints.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import Fastify from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { serveApiDocument } from './serve-api-document.ts';

type Parameter = { readonly name: string; readonly in: string; readonly required: boolean; readonly schema: object };
type Operation = {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: object }>> }>>;
};

let api: ApiDocument;
let contentType: unknown;
beforeAll(async () => {
  const app = Fastify();
  serveApiDocument(app, { publicUrl: 'https://portal.example' });
  const response = await app.inject('/portal/api-docs');
  contentType = response.headers['content-type'];
  api = response.json();
  await app.close();
});

const listOperations = (): readonly Operation[] =>
  Object.values(api.paths).flatMap((methods) => Object.values(methods) as unknown as Operation[]);
const findOperation = (method: string, path: string) => api.paths[path]?.[method] as unknown as Operation;
const findParameter = (method: string, path: string, name: string) =>
  findOperation(method, path).parameters.find((candidate) => candidate.name === name);

describe('the API document', () => {
  it('is OpenAPI 3.1 and lists every endpoint once, including files and streams', () => {
    expect(contentType).toContain('application/json');
    expect(api).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'https://portal.example/portal' }] });
    const calls = [ALL_ENDPOINTS, FILE_ENDPOINTS].flatMap((subjects) =>
      Object.values<Readonly<Record<string, Pick<Endpoint, 'method' | 'path'>>>>(subjects).flatMap((endpoints) => Object.values(endpoints)),
    );
    const documentedEndpoints = Object.entries(api.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documentedEndpoints.toSorted()).toEqual(calls.map(({ method, path }) => `${method} ${path}`).toSorted());
    expect(new Set(listOperations().map(({ operationId }) => operationId)).size).toBe(calls.length);
  });

  it('has schemas that a validator can compile', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const shapes = listOperations().flatMap(({ parameters, requestBody, responses }) => [
      ...parameters.map(({ schema }) => schema),
      ...Object.values(requestBody?.content ?? {}).map(({ schema }) => schema),
      ...Object.values(responses).flatMap(({ content }) => Object.values(content ?? {}).flatMap(({ schema }) => schema ?? [])),
    ]);
    expect(shapes.length).toBeGreaterThan(listOperations().length);
    for (const shape of shapes) expect(() => ajv.compile(shape)).not.toThrow();
    // Schemas must not use references: these would resolve within the schema, not within the document.
    expect(JSON.stringify(shapes)).not.toContain('$ref');
  });

  it('marks reads that may omit the practice or name the client as the company', () => {
    expect(findParameter('get', '/open-tax/upcoming-vat-amounts', 'company_id')?.required).toBe(false);
    expect(findParameter('get', '/open-tax/export-table', 'company_id')?.required).toBe(false);
    expect(findParameter('get', '/open-tax/paye-summary', 'company_id')?.required).toBe(false);
    expect(findParameter('get', '/open-tax/paye-summary', 'client_id')?.required).toBe(false);
    expect(findParameter('get', '/open-tax/client-taxes', 'client_company_id')?.required).toBe(false);
    // A stream, an upload and every request about the user's own company must specify the company.
    expect(findParameter('get', '/open-tax/sync-events', 'company_id')?.required).toBe(true);
    expect(findParameter('post', '/open-tax/client-imports', 'company_id')?.required).toBe(true);
    expect(findParameter('get', '/instant-vat/books', 'company_id')?.required).toBe(true);
  });

  it('requires an idempotency key where money moves or a return is filed, and names who may call', () => {
    const moneyMovingEndpoints = Object.values<Readonly<Record<string, Endpoint>>>(ALL_ENDPOINTS).flatMap((calls) =>
      Object.values(calls).filter(({ needsIdempotencyKey }) => needsIdempotencyKey),
    );
    expect(moneyMovingEndpoints.length).toBeGreaterThan(0);
    for (const { method, path } of moneyMovingEndpoints) {
      expect(findParameter(method.toLowerCase(), path, 'Idempotency-Key')).toMatchObject({ in: 'header', required: true });
    }
    expect(findOperation('get', '/v2/check-login').security).toEqual([]);
    expect(findOperation('get', '/instant-vat/books').security).toEqual([{ session: [] }, { apiKey: ['figures.read'] }]);
    expect(findOperation('post', '/open-tax/api-keys').security).toEqual([{ session: [] }]);
    expect(findOperation('get', '/open-tax/sync-events').security).toEqual([{ session: [] }]);
  });
});
