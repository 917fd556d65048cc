/** The calls of an app that implements OAuth itself, so that a test can get any of them wrong. */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { McpPortal } from './mcp-portal.ts';
import type { Browser } from './test-trader.ts';

export const REDIRECT_URI = 'http://localhost:33418/callback';
export const VERIFIER = 'a-verifier-of-more-than-forty-three-characters-1234567890';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

export type OauthResponse = { readonly status: number; readonly body: Record<string, string> };

async function readOauthResponse(response: Response): Promise<OauthResponse> {
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

export function createOauthCalls({ url, mcpUrl }: McpPortal) {
  const post = async (path: string, fields: Record<string, string>) =>
    readOauthResponse(await fetch(`${url}/portal/oauth/${path}`, { method: 'POST', body: new URLSearchParams(fields) }));
  const register = async (body: object = { client_name: 'Raw program', redirect_uris: [REDIRECT_URI] }) => {
    const headers = { 'content-type': 'application/json' };
    return readOauthResponse(await fetch(`${url}/portal/oauth/register`, { method: 'POST', headers, body: JSON.stringify(body) }));
  };
  const toRequest = (clientId: string, changes: Record<string, string> = {}) => ({
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    resource: mcpUrl,
    state: 'xyz',
    ...changes,
  });
  return {
    post,
    register,
    toRequest,
    registerId: async () => (await register()).body['client_id'] ?? '',
    /** Returns the code that the app gets once the user has approved. */
    getCode: async (browser: Browser, companyId: string, clientId: string) => {
      const body = { ...toRequest(clientId), company_id: companyId, scopes: ['clients.read'] };
      const approvedResponse = await browser.post('/open-tax/programs/approve', body);
      expect(approvedResponse.status).toBe(200);
      return new URL(String(approvedResponse.body['redirect_to'])).searchParams.get('code') ?? '';
    },
    exchange: (clientId: string, code: string, changes: Record<string, string> = {}) => {
      const form = { grant_type: 'authorization_code', client_id: clientId, code, code_verifier: VERIFIER, redirect_uri: REDIRECT_URI };
      return post('token', { ...form, ...changes });
    },
    refresh: (clientId: string, token: string, changes: Record<string, string> = {}) =>
      post('token', { grant_type: 'refresh_token', client_id: clientId, refresh_token: token, ...changes }),
    /** Returns the status of a call made with the token. */
    callTools: async (token: string) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
      return (await fetch(mcpUrl, { method: 'POST', headers: { ...headers, authorization: `Bearer ${token}` }, body })).status;
    },
  };
}

export type OauthCalls = ReturnType<typeof createOauthCalls>;
