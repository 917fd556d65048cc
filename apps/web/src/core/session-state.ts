import type { identityApi } from '@portal/contract/identity.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';

export type Person = EndpointOutput<typeof identityApi.checkLogin>;

export type Session =
  | { readonly status: 'checking' }
  | { readonly status: 'signed_out' }
  | { readonly status: 'signed_in'; readonly person: Person }
  /** The check itself failed, which doesn't mean that the user is signed out. */
  | { readonly status: 'unknown'; readonly error: unknown };
