/**
 * Idempotency keys, for requests that move money or file a return: a repeat with the same key gets the first response and changes nothing.
 *
 * - A key belongs to a user and a company and identifies one request: with another body or for another endpoint it is rejected (409).
 * - While the first request is in progress, a repeat is rejected (409, `idempotency.in_progress`). If the process that handled it died, the
 * repeat runs the handler again: each of these handlers detects what an earlier run has done.
 * - Only a successful response is stored. Like Stripe's API (https://docs.stripe.com/api/idempotent_requests), we store nothing for a
 * request that fails before its handler starts: no session, no access, invalid input. Unlike Stripe, we don't store a handler's failure
 * either. An error of ours or HMRC's must not be repeated for thirty days, and a rejection may be out of date at the next attempt: HMRC
 * may be connected by then, or the conflicting request may have ended.
 * - The stored text is the response that the client received and contains no secrets. It is deleted after 30 days.
 */
import { createHash } from 'node:crypto';
import type { Endpoint } from '@portal/contract/endpoint.ts';
import { idempotencyKeys } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { and, eq, isNull, lt, lte, or } from '@portal/db/sql.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppDeps } from '../app-deps.ts';
import { repeatAfterOutage } from '../repeat-after-outage.ts';
import type { Actor } from './session.ts';

const RETENTION_DAYS = 30;
const DAY_MS = 86_400_000;
/**
 * No handler runs for longer. If a response is still missing after this time, it was lost even though its process is alive, for example
 * along with the database connection.
 */
const MAX_RESPONSE_MS = 300_000;

type Deps = Pick<AppDeps, 'database' | 'wallClock' | 'logger' | 'pause'>;

type KeyedCall = {
  readonly endpoint: Endpoint;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly input: Record<string, unknown>;
  readonly actor: Actor | undefined;
};

type StoredKey = typeof idempotencyKeys.$inferSelect;
type Claim = Pick<StoredKey, 'companyId' | 'userId' | 'key' | 'endpoint' | 'inputHash' | 'startedAt' | 'holderId'>;

/** Returns the body to send: the first response for this key, which `respond` creates. */
export async function respondOnce(deps: Deps, call: KeyedCall, respond: () => Promise<unknown>): Promise<string> {
  const { reply } = call;
  const claim = toClaim(deps, call);
  const earlierResponse = await claimKey(deps, claim);
  if (earlierResponse) {
    reply.status(earlierResponse.status).header('idempotent-replayed', 'true').type('application/json; charset=utf-8');
    return earlierResponse.body;
  }
  try {
    // Fastify's own serialiser for the endpoint outputs exactly the contract's fields.
    const serialized = reply.serialize((await respond()) as Record<string, unknown>);
    const body = typeof serialized === 'string' ? serialized : new TextDecoder().decode(serialized);
    await storeResponse(deps, claim, { status: reply.statusCode, body });
    reply.type('application/json; charset=utf-8');
    return body;
  } catch (error) {
    await releaseKey(deps, claim);
    throw error;
  }
}

function toClaim({ database, wallClock }: Deps, { endpoint, request, input, actor }: KeyedCall): Claim {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || key.length < 8 || key.length > 200) {
    throw new AppError('invalid', 'idempotency.key_missing', 'Send an Idempotency-Key header of 8 to 200 characters.', {
      field: 'Idempotency-Key',
    });
  }
  const { company_id: companyId } = input;
  if (actor === undefined || typeof companyId !== 'string') {
    throw new AppError('bug', 'idempotency.no_owner', `${endpoint.path} needs an idempotency key, but the request has no user or company.`);
  }
  const inputHash = createHash('sha256').update(JSON.stringify(input)).digest('base64url');
  const { path } = endpoint;
  return { companyId, userId: actor.userId, key, endpoint: path, inputHash, startedAt: wallClock.now(), holderId: database.holder.id };
}

/** Returns the first response, or undefined if the caller has to create it. Throws if the key is in use. */
async function claimKey(deps: Deps, claim: Claim): Promise<{ readonly status: number; readonly body: string } | undefined> {
  const { db, holder } = deps.database;
  const { endpoint, inputHash, startedAt, holderId } = claim;
  const noResponse = { responseStatus: null, responseBody: null, completedAt: null };
  const newClaim = { endpoint, inputHash, startedAt, holderId, createdAt: startedAt, ...noResponse };
  const isExpired = lte(idempotencyKeys.createdAt, addMilliseconds(claim.startedAt, -RETENTION_DAYS * DAY_MS));
  const target = [idempotencyKeys.companyId, idempotencyKeys.userId, idempotencyKeys.key];
  const insertedKeys = await db
    .insert(idempotencyKeys)
    .values({ ...claim, ...newClaim })
    .onConflictDoUpdate({ target, set: newClaim, setWhere: isExpired })
    .returning({ key: idempotencyKeys.key });
  if (insertedKeys.length > 0) return undefined;
  const [storedRequest] = await db.select().from(idempotencyKeys).where(isKey(claim));
  // The first request failed in the meantime and released the key.
  if (!storedRequest) throw createInProgressError();
  if (storedRequest.endpoint !== claim.endpoint || storedRequest.inputHash !== claim.inputHash) {
    throw new AppError(
      'conflict',
      'idempotency.key_reused',
      'This Idempotency-Key was already used for a different request. Use a new key.',
    );
  }
  if (storedRequest.responseStatus !== null && storedRequest.responseBody !== null)
    return { status: storedRequest.responseStatus, body: storedRequest.responseBody };
  const hasResponseExpired = lt(idempotencyKeys.startedAt, addMilliseconds(claim.startedAt, -MAX_RESPONSE_MS));
  const takenOverKeys = await db
    .update(idempotencyKeys)
    .set({ holderId: claim.holderId, startedAt: claim.startedAt })
    .where(and(isKey(claim), isNull(idempotencyKeys.completedAt), or(holder.hasDied(idempotencyKeys.holderId), hasResponseExpired)))
    .returning({ key: idempotencyKeys.key });
  if (takenOverKeys.length === 0) throw createInProgressError();
  return undefined;
}

function isKey({ companyId, userId, key }: Claim) {
  return and(eq(idempotencyKeys.companyId, companyId), eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.key, key));
}

/** Matches the claim as long as no other process has claimed the key. */
function isOwnClaim(claim: Claim) {
  const { holderId, startedAt, completedAt } = idempotencyKeys;
  return and(isKey(claim), eq(holderId, claim.holderId), eq(startedAt, claim.startedAt), isNull(completedAt));
}

function createInProgressError(): AppError {
  return new AppError(
    'conflict',
    'idempotency.in_progress',
    'This request is still being processed. Wait a few seconds, then send it again with the same Idempotency-Key.',
  );
}

/** A failure to store the response doesn't fail the request, because a repeat runs the handler, which detects the earlier run. */
async function storeResponse(deps: Deps, claim: Claim, { status, body }: { status: number; body: string }): Promise<void> {
  const storedResponse = { responseStatus: status, responseBody: body, completedAt: deps.wallClock.now() };
  const store = (): PromiseLike<unknown> => deps.database.db.update(idempotencyKeys).set(storedResponse).where(isOwnClaim(claim));
  await runOrContinueLater(deps, claim, store, 'failed to store a response for its idempotency key');
}

/** The caller gets the original error even if the key can't be released. */
async function releaseKey(deps: Deps, claim: Claim): Promise<void> {
  const release = (): PromiseLike<unknown> => deps.database.db.delete(idempotencyKeys).where(isOwnClaim(claim));
  await runOrContinueLater(deps, claim, release, 'failed to release an idempotency key');
}

/** Retries until the database is available again; otherwise the caller's repeats would be rejected for `MAX_RESPONSE_MS`. */
async function runOrContinueLater(deps: Deps, { endpoint }: Claim, work: () => PromiseLike<unknown>, message: string): Promise<void> {
  try {
    await repeatAfterOutage(deps, MAX_RESPONSE_MS, work);
  } catch (error) {
    deps.logger.error({ err: error, endpoint }, message);
  }
}

export async function purgeIdempotencyKeys({ database, wallClock }: Pick<AppDeps, 'database' | 'wallClock'>): Promise<void> {
  const cutoff = addMilliseconds(wallClock.now(), -RETENTION_DAYS * DAY_MS);
  await database.db.delete(idempotencyKeys).where(lte(idempotencyKeys.createdAt, cutoff));
}
