/** Client for the OpenSanctions matching API, hosted or self-hosted (yente). */
import { parseJson } from '../http/parse-json.ts';
import { ProviderError, type ProviderErrorFacts, type ProviderFailure } from '../http/provider-error.ts';
import { parseRetryAfterSeconds } from '../http/retry-after.ts';
import type { Screening, ScreeningHit, ScreeningSubject } from './screening-port.ts';
import { MAX_QUERIES, matchResponseWire, screeningErrorWire, type MatchRequestWire, type ScoredEntityWire } from './screening-wire.ts';

/** `apiUrl` doesn't have a trailing slash: "https://api.opensanctions.org". `dataset`: the collection of lists, such as "default". */
export type ScreeningSettings = {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly dataset: string;
  readonly fetch: typeof globalThis.fetch;
  /** Time limit for one call; default 15 seconds. */
  readonly timeoutMs?: number;
};

/** The score from which a result counts as a possible match; this is the provider's own default. */
const MATCH_THRESHOLD = '0.7';
/** Without it, the provider returns five. Its server has allowed ten in every version. */
const RESULT_LIMIT = '10';
/** The topics that make a listed person or company relevant; the rest don't concern a lender. */
const RELEVANT_TOPICS = /^(sanction|debarment|role\.(pep|rca|pol)|crime|wanted|reg\.(action|warn))/;

export function createScreeningClient(settings: ScreeningSettings): Screening {
  return {
    screen: async (subjects) => {
      const hits: ScreeningHit[][] = [];
      for (let start = 0; start < subjects.length; start += MAX_QUERIES) {
        hits.push(...(await screenBatch(settings, subjects.slice(start, start + MAX_QUERIES))));
      }
      return hits;
    },
  };
}

async function screenBatch(settings: ScreeningSettings, subjects: readonly ScreeningSubject[]): Promise<ScreeningHit[][]> {
  const queries: MatchRequestWire['queries'] = Object.fromEntries(subjects.map((subject, index) => [`q${index}`, toQuery(subject)]));
  const { status, headers, body } = await postToScreening(settings, { queries });
  if (status !== 200) throw toError(status, headers, body);
  const parsed = matchResponseWire.safeParse(body);
  if (!parsed.success) throw createError('unavailable', { status, detail: 'The response doesn’t match the published format.' });
  return subjects.map((_subject, index) => {
    const queryResult = parsed.data.responses[`q${index}`];
    // A query without a usable response must never look like a query without matches.
    if (queryResult?.status !== 200) throw createError('unavailable', { status, detail: `no response for query ${index}` });
    const matches = queryResult.results.filter(({ match }) => match);
    const hits = matches.map(toHit).filter(({ topics }) => topics.some((topic) => RELEVANT_TOPICS.test(topic)));
    return [...hits, ...describeMissing(queryResult.total.value - matches.length)];
  });
}

/** Someone with a frequent name must not be hidden behind ten others: a person looks them up at the provider. */
function describeMissing(count: number): ScreeningHit[] {
  if (count <= 0) return [];
  const caption = `${count} more possible ${count === 1 ? 'match' : 'matches'}, which the provider counts but doesn’t return`;
  return [{ listedId: `not-returned-${count}`, caption, topics: ['not_returned'], datasets: [], score: Number(MATCH_THRESHOLD) }];
}

function toQuery(subject: ScreeningSubject): MatchRequestWire['queries'][string] {
  if (subject.kind === 'person') {
    return {
      schema: 'Person',
      properties: { name: [subject.name], country: ['gb'], ...(subject.birthDate === undefined ? {} : { birthDate: [subject.birthDate] }) },
    };
  }
  const { name, registrationNumber } = subject;
  return {
    schema: 'Company',
    properties: {
      name: [name],
      jurisdiction: ['gb'],
      ...(registrationNumber === undefined ? {} : { registrationNumber: [registrationNumber] }),
    },
  };
}

function toHit({ id, caption, properties, datasets, score }: ScoredEntityWire): ScreeningHit {
  const topics = (properties['topics'] ?? []).filter((topic) => typeof topic === 'string');
  return { listedId: id, caption, topics, datasets, score };
}

async function postToScreening(
  settings: ScreeningSettings,
  request: MatchRequestWire,
): Promise<{ status: number; headers: Headers; body: unknown }> {
  const { apiUrl, apiKey, dataset } = settings;
  try {
    const response = await settings.fetch(
      `${apiUrl}/match/${encodeURIComponent(dataset)}?${new URLSearchParams({ threshold: MATCH_THRESHOLD, limit: RESULT_LIMIT })}`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', authorization: `ApiKey ${apiKey}` },
        body: JSON.stringify(request),
        redirect: 'manual',
        signal: AbortSignal.timeout(settings.timeoutMs ?? 15_000),
      },
    );
    return { status: response.status, headers: response.headers, body: parseJson(await response.text()) };
  } catch (error) {
    throw createError('unavailable', {}, error);
  }
}

function toError(status: number, headers: Headers, body: unknown): ProviderError {
  const detail = screeningErrorWire.safeParse(body).data?.detail;
  const facts = { status, ...(detail === undefined ? {} : { detail }) };
  if (status === 401 || status === 403) return createError('unauthorized', facts);
  const retryAfterSeconds = parseRetryAfterSeconds(headers);
  if (status === 429) return createError('throttled', { ...facts, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) });
  return createError(status >= 400 && status < 500 && status !== 408 ? 'refused' : 'unavailable', facts);
}

function createError(failure: ProviderFailure, facts: Omit<ProviderErrorFacts, 'provider' | 'operation'>, cause?: unknown): ProviderError {
  return new ProviderError(failure, { provider: 'opensanctions', operation: 'match', ...facts }, cause);
}
