/** The key that the endpoint’s operator would issue, and the model that it serves. */
export const SANDBOX_LANGUAGE_MODEL = { apiKey: 'sandbox-language-model-key', model: 'sandbox-rewriter' } as const;
