/** Paginated lists (docs.stripe.com/api/pagination). */
import { toListResponse, type Json } from './stripe-responses.ts';
import { readNestedParams, readParam, type Params } from './stripe-form.ts';
import { requireInteger } from './stripe-route.ts';

/** Stripe's most. */
const PAGE = 100;

/** Returns a page of the list, newest first, starting after the object `starting_after`. */
export function toPage(
  url: string,
  params: Params,
  newestFirst: readonly (Json & { id: string })[],
  toResponse: (item: never) => Json,
): Json {
  const startingAfter = readParam(params, 'starting_after');
  const from = startingAfter === undefined ? 0 : newestFirst.findIndex(({ id }) => id === startingAfter) + 1;
  const limit = readParam(params, 'limit') === undefined ? 10 : Math.min(PAGE, requireInteger(params, 'limit'));
  const page = newestFirst.slice(from, from + limit);
  return toListResponse(
    url,
    page.map((item) => toResponse(item as never)),
    from + limit < newestFirst.length,
  );
}

export function isCreatedWithin(params: Params, created: number): boolean {
  const { gte, lt } = readNestedParams(params, 'created');
  return created >= Number(gte ?? 0) && (lt === undefined || created < Number(lt));
}
