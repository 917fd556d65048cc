/**
 * Simulates an OpenAI-compatible endpoint. In the mode `polite` it rewords as a good model does; in the mode `obedient` it is the worst
 * possible model, which follows instructions in its input and writes what an attacker wants.
 */
import { randomUUID, timingSafeEqual } from 'node:crypto';
import { parseJson } from '@portal/providers/http/parse-json.ts';
import { completionRequestWire, type CompletionWire } from '@portal/providers/language-model/language-model-wire.ts';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { createFaultHooks, type RejectCall } from '../simulator/fault-hooks.ts';
import { readBodyText } from '../simulator/request.ts';
import type { SimulatorDeps } from '../simulator/simulator.ts';
import { obeyText } from './obey-text.ts';
import { rewordPolitely } from './reword-politely.ts';
import { SANDBOX_LANGUAGE_MODEL } from './sandbox-credentials.ts';

/** `newer`: rejects `max_tokens`, as OpenAI’s newer models do. `calling_tools`: calls a tool that wasn’t offered. */
export const LANGUAGE_MODEL_MODES = ['polite', 'obedient', 'newer', 'refusing', 'cut_off', 'calling_tools'] as const;
export type LanguageModelMode = (typeof LANGUAGE_MODEL_MODES)[number];

/** A request as received, and its response. */
export type ModelCall = { readonly at: string; readonly request: unknown; readonly answer: string; readonly hasObeyed: boolean };

export type LanguageModelControls = {
  getMode(): LanguageModelMode;
  setMode(mode: LanguageModelMode): void;
  listCalls(): ModelCall[];
};

/** Operations for which faults can be set. */
export const LANGUAGE_MODEL_OPERATIONS = ['language_model.chat', 'language_model.models'] as const;

const MODE_KEY = 'mode';
/** Older calls are deleted. */
const MAX_CALLS = 300;

type LimitedText = { readonly text: string; readonly maxTokens: number };

export function createLanguageModelSimulator(deps: SimulatorDeps): {
  readonly plugin: FastifyPluginAsync;
  readonly controls: LanguageModelControls;
} {
  const modes = deps.store.collection<{ readonly mode: LanguageModelMode }>('language_model.mode');
  const calls: ModelCall[] = [];
  const getMode = (): LanguageModelMode => modes.get(MODE_KEY)?.mode ?? 'polite';
  const complete = ({ text, maxTokens }: LimitedText, request: unknown): Completion => {
    const mode = getMode();
    const obeyedText = mode === 'obedient' ? obeyText(text) : null;
    const rewordedText = obeyedText ?? rewordPolitely(text);
    // Counts four characters as one token.
    const isCut = mode === 'cut_off' || rewordedText.length > maxTokens * 4;
    const completion = isCut ? rewordedText.slice(0, Math.min(maxTokens * 4, Math.ceil(rewordedText.length / 2))) : rewordedText;
    calls.splice(0, Math.max(0, calls.length + 1 - MAX_CALLS));
    calls.push({ at: deps.clock.now(), request, answer: completion, hasObeyed: obeyedText !== null });
    return { answer: completion, finish: isCut ? 'length' : 'stop', mode };
  };
  return {
    plugin: async (app) => {
      app.get('/v1/models', createFaultHooks(deps.faults, 'language_model.models', rejectCall), (request, reply) => {
        if (!isAuthorised(request)) return sendError(reply, 401, 'Incorrect API key provided.', 'invalid_api_key');
        return reply.send({
          object: 'list',
          data: [{ id: SANDBOX_LANGUAGE_MODEL.model, object: 'model', created: 1_700_000_000, owned_by: 'sandbox' }],
        });
      });
      app.post('/v1/chat/completions', createFaultHooks(deps.faults, 'language_model.chat', rejectCall), (request, reply) => {
        if (!isAuthorised(request)) return sendError(reply, 401, 'Incorrect API key provided.', 'invalid_api_key');
        const parsed = completionRequestWire.safeParse(parseJson(readBodyText(request)));
        if (!parsed.success) return sendError(reply, 400, 'The request body is invalid.', 'invalid_request');
        const { model, messages, max_tokens: limit, max_completion_tokens: newLimit } = parsed.data;
        if (model !== SANDBOX_LANGUAGE_MODEL.model) return sendError(reply, 404, `The model '${model}' does not exist.`, 'model_not_found');
        if (getMode() === 'newer' && limit !== undefined) {
          const errorMessage = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
          return sendError(reply, 400, errorMessage, 'unsupported_parameter', 'max_tokens');
        }
        const userMessage = messages.findLast(({ role }) => role === 'user')?.content ?? '';
        return reply.send(toWire(complete({ text: userMessage, maxTokens: limit ?? newLimit ?? 1_000 }, parsed.data), deps.clock.now()));
      });
    },
    controls: { getMode, setMode: (mode) => modes.put(MODE_KEY, { mode }), listCalls: () => [...calls] },
  };
}

type Completion = { readonly answer: string; readonly finish: 'stop' | 'length'; readonly mode: LanguageModelMode };

function toWire({ answer, finish, mode }: Completion, at: string): CompletionWire & { created: number; usage: object } {
  const toolCall = { id: 'call_1', type: 'function', function: { name: 'send_money', arguments: '{"to":"attacker"}' } };
  const message =
    mode === 'refusing'
      ? { role: 'assistant' as const, content: null, refusal: 'I can’t help with that.' }
      : { role: 'assistant' as const, content: answer, refusal: null, ...(mode === 'calling_tools' ? { tool_calls: [toolCall] } : {}) };
  return {
    id: `chatcmpl-${randomUUID()}`,
    object: 'chat.completion',
    created: Math.floor(Date.parse(at) / 1_000),
    model: SANDBOX_LANGUAGE_MODEL.model,
    choices: [{ index: 0, message, finish_reason: mode === 'calling_tools' ? 'tool_calls' : finish }],
    usage: { prompt_tokens: 0, completion_tokens: Math.ceil(answer.length / 4), total_tokens: Math.ceil(answer.length / 4) },
  };
}

function isAuthorised({ headers }: FastifyRequest): boolean {
  const [sentAuthorization, expectedAuthorization] = [
    Buffer.from(headers.authorization ?? ''),
    Buffer.from(`Bearer ${SANDBOX_LANGUAGE_MODEL.apiKey}`),
  ];
  return sentAuthorization.length === expectedAuthorization.length && timingSafeEqual(sentAuthorization, expectedAuthorization);
}

function sendError(reply: FastifyReply, status: number, message: string, code: string, param: string | null = null): FastifyReply {
  return reply.code(status).send({ error: { message, type: 'invalid_request_error', param, code } });
}

const rejectCall: RejectCall = (reply, call) => {
  if (call.status === 200) return reply.type('text/html').send(call.html);
  if (call.status === 429 && call.retryAfterSeconds !== undefined) void reply.header('retry-after', String(call.retryAfterSeconds));
  return sendError(reply, call.status, 'The server had an error.', call.status === 429 ? 'rate_limit_exceeded' : 'server_error');
};
