/**
 * Defines which endpoints each scope opens to an API key or an assistant. The user's own rights are checked too, so a scope never adds
 * rights. Endpoints without a scope here need a user at the portal: filing, accepting offers, bank details, the team, connections, and
 * closing an account.
 */
import { API_SCOPES, type ApiScope } from '@portal/domain/developers/api-scopes.ts';
import type { Access, Endpoint } from './endpoint.ts';

type AccessByMethod = { readonly [Method in Endpoint['method']]?: readonly Access[] };

export const SCOPE_ACCESS: Readonly<Record<ApiScope, AccessByMethod>> = {
  'clients.read': { GET: ['practice.read', 'client.read', 'client.companies'] },
  'figures.read': { GET: ['client.figures', 'company.read'] },
  'tasks.read': { GET: ['practice.work'] },
  'messages.read': { GET: ['practice.messages'] },
  'exports.read': { GET: ['practice.export'], POST: ['practice.export'] },
  'clients.write': { POST: ['client.work'] },
  'clients.edit': { POST: ['practice.clients'] },
  'tasks.write': { POST: ['practice.work'] },
  'clients.invite': { POST: ['client.invite'] },
  'messages.write': { POST: ['practice.messages'] },
};

type ScopedCall = Pick<Endpoint, 'access' | 'method' | 'callsHmrc' | 'needsPerson'>;

/**
 * Returns the scope that opens an endpoint, or undefined if the endpoint needs a user. HMRC requires details of the device of the person
 * who causes a call to it, and software has none (docs/reference/hmrc.md section 9).
 */
export function findScope({ access, method, callsHmrc, needsPerson }: ScopedCall): ApiScope | undefined {
  if (callsHmrc || needsPerson) return undefined;
  return API_SCOPES.find((scope) => SCOPE_ACCESS[scope][method]?.includes(access));
}
