/** Describes an API endpoint: path, access rule, input and output. The server implements it and the web app calls it. */
import type { z } from 'zod/mini';

/**
 * Who may call an endpoint. Only `apps/server/src/http/policies.ts` enforces this.
 * - `public`: everyone. `signed_in`: any user with a session.
 * - `company.*`: users with that right in the trader's company `company_id` (query or body; company-rights.ts); everyone else gets 404.
 * Writes under `company.people` need a user who has just confirmed their identity.
 * - `practice.*`: users with that right in the practice `company_id`. For a team_member, lists, counts, totals and searches under
 * `practice.read` cover only assigned clients. `practice.export`, `practice.messages`, `practice.invitations` and
 * `practice.connections` are permissions of a team_member (practice-rights.ts). `practice.work`: the practice's own tasks that the
 * user may see. `practice.team`: members and roles; its writes need a user who has just confirmed their identity.
 * - `client.*`: users in the practice `company_id` who may see the client `client_id` (or `client_company_id`); everyone else gets 404.
 * - `client.figures`: like `client.read`, plus the client's own users. `client.companies`: users in the practice `company_id`, or in
 * the client `company_id`. `client.own`: only the client's own users, for whom `company_id` is the client (docs/decisions/0051).
 * - `client.papers`: like `client.figures`, for files, requests and the conversation, which both sides read and write.
 * - `client.invite`, `client.connections`, `client.propose_advance`: like `client.work`, but need a permission (practice-rights.ts).
 * - `company.api`, `practice.api`: API keys and webhooks, for the company's owner or an admin of the practice. Writes follow the same
 * rule as `practice.team`.
 * - `operator`: our own staff, read access. `operator.underwrite`: approve or decline refunds. `operator.release`: release payouts.
 * `operator.finance`: credits, surpluses, shortfalls and write-offs. `operator.screen`: sanctions screening. `operator.manage`:
 * operators, roles and limits.
 *
 * Reads under `practice.*` and `client.*` may omit `company_id` if the user belongs to a single practice. A client read may then pass
 * the client as `company_id`.
 */
export type Access =
  | 'public'
  | 'signed_in'
  | 'company.read'
  | 'company.prepare'
  | 'company.manage'
  | 'company.people'
  | 'company.leave'
  | 'company.file_return'
  | 'company.accept_advance'
  | 'company.api'
  | 'practice.read'
  | 'practice.work'
  | 'practice.export'
  | 'practice.messages'
  | 'practice.connections'
  | 'practice.invitations'
  | 'practice.manage'
  | 'practice.clients'
  | 'practice.team'
  | 'practice.api'
  | 'client.read'
  | 'client.work'
  | 'client.figures'
  | 'client.companies'
  | 'client.papers'
  | 'client.own'
  | 'client.invite'
  | 'client.connections'
  | 'client.manage'
  | 'client.file_return'
  | 'client.propose_advance'
  | 'operator'
  | 'operator.underwrite'
  | 'operator.release'
  | 'operator.finance'
  | 'operator.screen'
  | 'operator.manage';

/** One endpoint. Paths are below /portal. GET takes its input from the query, other methods from a JSON body. */
export type Endpoint<
  Input extends z.ZodMiniObject = z.ZodMiniObject,
  Output extends z.ZodMiniType = z.ZodMiniType,
  Rule extends Access = Access,
> = {
  readonly method: 'GET' | 'POST';
  readonly path: `/${string}`;
  readonly access: Rule;
  /** One sentence for readers of the contract and the API document. */
  readonly summary: string;
  readonly input: Input;
  readonly output: Output;
  /**
   * Set if the request reaches HMRC on the user's behalf and therefore carries browser details for the fraud prevention headers (see
   * client-device.ts).
   */
  readonly callsHmrc?: true;
  /**
   * How many times a user may call the endpoint in 15 minutes. Set on anything that uses up HMRC's three calls a second or starts long
   * work, so that no one delays other users. Not set on filing, because a limit must never hold up a return.
   */
  readonly maxPerPerson?: number;
  /** Set on work that takes long for large companies. For each user, one request runs at a time and up to ten wait. */
  readonly runsOneAtATime?: true;
  /** Set on a read that reaches a provider or sends something. An operator viewing the portal as a user can't call it. */
  readonly hasEffect?: true;
  /** Set on the only writes allowed to an operator viewing the portal as a user: stopping, and logging out. */
  readonly endsViewing?: true;
  /**
   * Set on a write that any operator may make and that reaches someone outside. It needs a second factor confirmed within the last ten
   * minutes.
   */
  readonly needsFreshFactor?: true;
  /**
   * Set on a write that gives access but whose access rule doesn't already require a recent identity confirmation. It needs a user who has
   * just confirmed their identity.
   */
  readonly needsConfirmation?: true;
  /**
   * Set where only a user may make the request, because it sends text to another company. Otherwise, a scope would open its access rule to
   * apps.
   */
  readonly needsPerson?: true;
  /** Set if the request moves money or files a return. The server rejects it without an `Idempotency-Key` header. */
  readonly needsIdempotencyKey?: true;
};

/** Input as the caller sends it. */
export type EndpointInput<E extends Endpoint> = z.input<E['input']>;
/** Input as the server receives it, after parsing. */
export type ParsedEndpointInput<E extends Endpoint> = z.output<E['input']>;
/** The response. */
export type EndpointOutput<E extends Endpoint> = z.output<E['output']>;

/** Declares an endpoint and keeps its exact types. */
export function endpoint<Input extends z.ZodMiniObject, Output extends z.ZodMiniType, Rule extends Access>(
  definition: Endpoint<Input, Output, Rule>,
): Endpoint<Input, Output, Rule> {
  return definition;
}
