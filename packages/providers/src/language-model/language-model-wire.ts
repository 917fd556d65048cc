/**
 * Wire shapes for an OpenAI-compatible endpoint (platform.openai.com/docs/api-reference/chat/create, docs.vllm.ai, docs.ollama.com/openai):
 * POST /chat/completions without streaming or tools, and GET /models. Only fields that every such server sends are required.
 */
import { z } from 'zod';

const message = z.object({ role: z.enum(['system', 'user']), content: z.string() });

/** Newer OpenAI models reject `max_tokens` and require `max_completion_tokens`; other servers know only the former. */
export const completionRequestWire = z.strictObject({
  model: z.string(),
  messages: z.array(message).min(1),
  stream: z.literal(false),
  max_tokens: z.int().positive().optional(),
  max_completion_tokens: z.int().positive().optional(),
});
export type CompletionRequestWire = z.infer<typeof completionRequestWire>;

export const completionWire = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  model: z.string(),
  choices: z
    .array(
      z.object({
        index: z.int(),
        message: z.object({
          role: z.literal('assistant'),
          content: z.string().nullable(),
          refusal: z.string().nullish(),
          tool_calls: z.array(z.unknown()).nullish(),
        }),
        finish_reason: z.string().nullable(),
      }),
    )
    .min(1),
});
export type CompletionWire = z.infer<typeof completionWire>;

export const modelListWire = z.object({ data: z.array(z.object({ id: z.string() })) });

export const errorWire = z.object({
  error: z.object({
    message: z.string(),
    type: z.string().nullish(),
    param: z.string().nullish(),
    code: z.union([z.string(), z.int()]).nullish(),
  }),
});
