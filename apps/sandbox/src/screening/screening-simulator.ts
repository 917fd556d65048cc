/** Simulates the OpenSanctions matching API with an invented list, which the control page can extend. */
import { createHash } from 'node:crypto';
import { compareCompanyNames, comparePersonNames } from '@portal/domain/advances/compare-names.ts';
import { parseJson } from '@portal/providers/http/parse-json.ts';
import { MAX_QUERIES, matchRequestWire, type MatchRequestWire, type ScoredEntityWire } from '@portal/providers/screening/screening-wire.ts';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { createFaultHooks, type RejectCall } from '../simulator/fault-hooks.ts';
import { readBodyText } from '../simulator/request.ts';
import type { SimulatorDeps } from '../simulator/simulator.ts';
import { SANDBOX_SCREENING } from './sandbox-credentials.ts';

export const LISTED_TOPICS = ['sanction', 'role.pep', 'crime.fin'] as const;

export type ListedEntity = { readonly schema: 'Person' | 'Company'; readonly name: string; readonly topic: (typeof LISTED_TOPICS)[number] };

export type ScreeningControls = {
  listEntities(): ListedEntity[];
  addEntity(entity: ListedEntity): void;
  removeEntity(name: string): void;
};

export type ScreeningSimulator = { readonly plugin: FastifyPluginAsync; readonly controls: ScreeningControls };

/** Operations for which faults can be set. */
export const SCREENING_OPERATIONS = ['opensanctions.match'] as const;

const DEFAULT_LIMIT = 5;
const MAX_LIMIT = 10;
const MATCH_SCORES = { match: 1, close: 0.82, none: 0 } as const;

export function createScreeningSimulator(deps: SimulatorDeps): ScreeningSimulator {
  const listedEntities = deps.store.collection<ListedEntity>('screening.entities');
  return {
    plugin: async (app) => {
      app.post<{ Params: { dataset: string }; Querystring: { limit?: string } }>(
        '/match/:dataset',
        createFaultHooks(deps.faults, 'opensanctions.match', rejectCall),
        (request, reply) => {
          if (request.headers.authorization !== `ApiKey ${SANDBOX_SCREENING.apiKey}`) return sendError(reply, 401, 'No API key provided.');
          if (request.params.dataset !== SANDBOX_SCREENING.dataset) return sendError(reply, 404, 'No such dataset.');
          const parsed = matchRequestWire.safeParse(parseJson(readBodyText(request)));
          const count = parsed.success ? Object.keys(parsed.data.queries).length : 0;
          if (!parsed.success || count === 0) return sendError(reply, 400, 'No queries provided.');
          if (count > MAX_QUERIES) return sendError(reply, 400, `Too many queries in one batch (limit: ${MAX_QUERIES})`);
          const limit = Number(request.query.limit ?? DEFAULT_LIMIT);
          if (limit > MAX_LIMIT) return sendError(reply, 422, `Input should be less than or equal to ${MAX_LIMIT}`);
          const entities = listedEntities.list().map(({ document }) => document);
          const responses = Object.entries(parsed.data.queries).map(([key, query]) => {
            const matches = findMatches(entities, query);
            const total = { value: matches.filter(({ match }) => match).length, relation: 'eq' };
            return [key, { status: 200, results: matches.slice(0, limit), total, query }] as const;
          });
          return reply.send({ responses: Object.fromEntries(responses), matcher: {}, limit });
        },
      );
    },
    controls: {
      listEntities: () => listedEntities.list().map(({ document }) => document),
      addEntity: (entity) => listedEntities.put(entity.name, entity),
      removeEntity: (name) => listedEntities.delete(name),
    },
  };
}

function findMatches(entities: readonly ListedEntity[], { schema, properties }: MatchRequestWire['queries'][string]): ScoredEntityWire[] {
  const compare = schema === 'Person' ? comparePersonNames : compareCompanyNames;
  return entities
    .filter((entity) => entity.schema === schema)
    .map((entity) => ({ entity, score: MATCH_SCORES[compare(properties['name']?.[0] ?? '', entity.name)] }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ entity, score }) => ({
      id: `sb-${createHash('sha1').update(entity.name).digest('hex').slice(0, 12)}`,
      caption: entity.name,
      schema,
      properties: { name: [entity.name], topics: [entity.topic] },
      datasets: ['sandbox_list'],
      score,
      match: score >= 0.7,
    }));
}

function sendError(reply: FastifyReply, status: number, detail: string): FastifyReply {
  return reply.code(status).send({ detail });
}

const rejectCall: RejectCall = (reply, { status }) => sendError(reply, status === 200 ? 502 : status, 'The call was rejected.');
