/**
 * Wire shapes for the matching API of OpenSanctions and yente, its open-source server (opensanctions.org/docs/api/matching and
 * yente.followthemoney.tech): POST /match/{dataset} with up to 50 queries by example, each with its own response.
 */
import { z } from 'zod';

export const MAX_QUERIES = 50;

const properties = z.record(z.string(), z.array(z.string()));

export const matchRequestWire = z.object({
  queries: z.record(z.string(), z.object({ schema: z.enum(['Person', 'Company']), properties })),
});
export type MatchRequestWire = z.infer<typeof matchRequestWire>;

const scoredEntity = z.object({
  id: z.string(),
  caption: z.string(),
  schema: z.string(),
  properties: z.record(z.string(), z.array(z.unknown())),
  datasets: z.array(z.string()),
  score: z.number(),
  match: z.boolean(),
});
export type ScoredEntityWire = z.infer<typeof scoredEntity>;

export const matchResponseWire = z.object({
  responses: z.record(
    z.string(),
    z.object({ status: z.int(), results: z.array(scoredEntity), total: z.object({ value: z.int(), relation: z.string() }) }),
  ),
  limit: z.int(),
});

export const screeningErrorWire = z.object({ detail: z.string() });
