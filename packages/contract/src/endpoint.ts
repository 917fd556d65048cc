/** A call of the portal's API: where it is, who may make it, what goes in and what comes out. The server serves it, the web app calls it. */
import type { z } from 'zod';

/**
 * Who may make a call; `apps/server/src/http/policies.ts` is the one place that decides.
 * - `public`: anybody. `signed_in`: any person with a session.
 * - `company.*`: a person with that right in the company named by `company_id` (query or body); anybody else gets 404.
 * - `practice.*`: a person with that right in the practice named by `company_id`. What `practice.read` lists, counts, sums or finds covers, for a
 *   team_member, the assigned clients only.
 * - `client.*`: a person of the practice `company_id` who may see the client `client_id` (or `client_company_id`); anybody else gets 404.
 *   A read of these two kinds may leave out `company_id` where the person works in one practice, and a client's may name the client by it.
 * - `operator`: the portal's own staff. `operator.money`: staff, for decisions that move money.
 */
export type Access =
  | 'public'
  | 'signed_in'
  | 'company.read'
  | 'company.manage'
  | 'company.file_return'
  | 'company.accept_advance'
  | 'practice.read'
  | 'practice.manage'
  | 'client.read'
  | 'client.work'
  | 'operator'
  | 'operator.money';

/** One call. Paths are below /portal. A GET takes its input from the query, the others from a JSON body. */
export type Endpoint<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType, Rule extends Access = Access> = {
  readonly method: 'GET' | 'POST';
  readonly path: `/${string}`;
  readonly access: Rule;
  /** One sentence for whoever reads the contract, and for the API document. */
  readonly summary: string;
  readonly input: Input;
  readonly output: Output;
  /** The call reaches HMRC on this person's click, so it carries the browser's facts for the fraud-prevention headers (see client-device.ts). */
  readonly callsHmrc?: true;
  /** Moves money or files: refused without an `Idempotency-Key` header. */
  readonly needsIdempotencyKey?: true;
};

/** What the caller sends. */
export type InputOf<E extends Endpoint> = z.input<E['input']>;
/** What the server works on, after parsing. */
export type ParsedInputOf<E extends Endpoint> = z.output<E['input']>;
/** What comes back. */
export type OutputOf<E extends Endpoint> = z.output<E['output']>;

/** Declares a call, keeping its exact types. */
export function endpoint<Input extends z.ZodObject, Output extends z.ZodType, Rule extends Access>(
  call: Endpoint<Input, Output, Rule>,
): Endpoint<Input, Output, Rule> {
  return call;
}
