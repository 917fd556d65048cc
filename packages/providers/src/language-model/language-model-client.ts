/** Client for an OpenAI-compatible endpoint: a vendor's, or a self-hosted one (vLLM, Ollama, llama.cpp). */
import { parseJson } from '../http/parse-json.ts';
import { ProviderError, type ProviderErrorFacts, type ProviderFailure } from '../http/provider-error.ts';
import { parseRetryAfterSeconds } from '../http/retry-after.ts';
import type { LanguageModel, LanguageModelRequest, LanguageModelResponse } from './language-model-port.ts';
import { completionWire, errorWire, modelListWire, type CompletionRequestWire } from './language-model-wire.ts';

/** `apiUrl` doesn't have a trailing slash and ends where the endpoint’s paths begin: "https://api.openai.com/v1". */
export type LanguageModelSettings = {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly model: string;
  readonly fetch: typeof globalThis.fetch;
  /** Time limit for one call; default 30 seconds, because a user is waiting. */
  readonly timeoutMs?: number;
};

/** Many times the size of a letter, to allow for a longer list of models. */
const MAX_RESPONSE_BYTES = 1_000_000;

type ModelOperation = 'chat' | 'models';
type ModelHttpResponse = { readonly status: number; readonly headers: Headers; readonly body: unknown };

export function createLanguageModelClient(settings: LanguageModelSettings): LanguageModel {
  return {
    rewrite: async (request) => {
      const response = await post(settings, request, 'max_tokens');
      if (!isTokenLimitNameRejected(response)) return readResponse(response);
      return readResponse(await post(settings, request, 'max_completion_tokens'));
    },
    hasModel: async () => {
      const response = await call(settings, 'models', '/models', { method: 'GET' });
      if (response.status !== 200) throw toError('models', response);
      const parsed = modelListWire.safeParse(response.body);
      if (!parsed.success)
        throw createError('models', 'unavailable', { status: 200, detail: 'The response doesn’t match the published format.' });
      return parsed.data.data.some(({ id }) => id === settings.model);
    },
  };
}

function post(
  settings: LanguageModelSettings,
  { instruction, text, maxTokens }: LanguageModelRequest,
  limit: 'max_tokens' | 'max_completion_tokens',
): Promise<ModelHttpResponse> {
  const request: CompletionRequestWire = {
    model: settings.model,
    messages: [
      { role: 'system', content: instruction },
      { role: 'user', content: text },
    ],
    stream: false,
    [limit]: maxTokens,
  };
  return call(settings, 'chat', '/chat/completions', { method: 'POST', body: JSON.stringify(request) });
}

/** Returns true if the endpoint rejected the name of the token limit. Only this rejection is retried, because nothing was generated. */
function isTokenLimitNameRejected({ status, body }: ModelHttpResponse): boolean {
  const error = errorWire.safeParse(body).data?.error;
  return status === 400 && error?.code === 'unsupported_parameter' && error.param === 'max_tokens';
}

function readResponse(modelResponse: ModelHttpResponse): LanguageModelResponse {
  if (modelResponse.status !== 200) throw toError('chat', modelResponse);
  const parsed = completionWire.safeParse(modelResponse.body);
  const choice = parsed.data?.choices[0];
  // No tools were offered, so a tool call isn't a valid response.
  if (!parsed.success || !choice || (choice.message.tool_calls ?? []).length > 0) {
    throw createError('chat', 'unavailable', { status: 200, detail: 'The response doesn’t match the published format.' });
  }
  const { content, refusal } = choice.message;
  if (content === null || (refusal ?? '') !== '' || choice.finish_reason === 'content_filter') {
    throw createError('chat', 'refused', { status: 200, code: 'model_refused', detail: 'the model didn’t reword this text.' });
  }
  if (choice.finish_reason !== 'stop') {
    throw createError('chat', 'refused', { status: 200, code: 'model_cut_off', detail: 'the model’s text was cut off.' });
  }
  return { text: content, model: parsed.data.model };
}

async function call(
  settings: LanguageModelSettings,
  operation: ModelOperation,
  path: string,
  init: RequestInit,
): Promise<ModelHttpResponse> {
  try {
    const response = await settings.fetch(`${settings.apiUrl}${path}`, {
      ...init,
      headers: { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${settings.apiKey}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(settings.timeoutMs ?? 30_000),
    });
    return { status: response.status, headers: response.headers, body: parseJson(await readLimitedBody(response)) };
  } catch (error) {
    throw createError(operation, 'unavailable', {}, error);
  }
}

/** Never reads more than the limit, whatever the size of the response. */
async function readLimitedBody({ body }: globalThis.Response): Promise<string> {
  if (body === null) return '';
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > MAX_RESPONSE_BYTES) throw new Error(`the answer is longer than ${MAX_RESPONSE_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function toError(operation: ModelOperation, { status, headers, body }: ModelHttpResponse): ProviderError {
  const error = errorWire.safeParse(body).data?.error;
  // The message may quote the request, so only the code is stored.
  const facts = { status, ...(typeof error?.code === 'string' ? { code: error.code } : {}) };
  if (status === 401 || status === 403) return createError(operation, 'unauthorized', facts);
  const retryAfterSeconds = parseRetryAfterSeconds(headers);
  if (status === 429)
    return createError(operation, 'throttled', { ...facts, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) });
  return createError(operation, status >= 400 && status < 500 && status !== 408 ? 'refused' : 'unavailable', facts);
}

function createError(
  operation: ModelOperation,
  failure: ProviderFailure,
  facts: Omit<ProviderErrorFacts, 'provider' | 'operation'>,
  cause?: unknown,
): ProviderError {
  return new ProviderError(failure, { provider: 'language_model', operation, ...facts }, cause);
}
