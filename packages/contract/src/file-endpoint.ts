/** An endpoint with a file or stream as body or response. */
import type { z } from 'zod/mini';
import type { Endpoint } from './endpoint.ts';

export type FileEndpoint = Pick<Endpoint, 'method' | 'path' | 'access' | 'summary'> & {
  readonly query?: z.ZodMiniObject;
  /** `file`: the body is a file. */
  readonly body?: 'file' | z.ZodMiniObject;
  /** Media types of the response (200), or the JSON schema of an upload's response (201). */
  readonly response: readonly string[] | z.ZodMiniType;
};
