/** A language model as the portal uses it: one text in, one text out. Implemented by `language-model-client.ts`. */
export type LanguageModelRequest = {
  /** The instruction that tells the model what to do with the text. It is ours, and the same for every user. */
  readonly instruction: string;
  readonly text: string;
  /** The maximum number of tokens that the model may write, which limits the cost of a call. */
  readonly maxTokens: number;
};

/** `model`: the provider's name for the model that responded. */
export type LanguageModelResponse = { readonly text: string; readonly model: string };

/** A call doesn't change anything at the provider, but costs money. Failures are ProviderErrors; the client doesn't retry. */
export type LanguageModel = {
  rewrite(request: LanguageModelRequest): Promise<LanguageModelResponse>;
  /** Returns true if the endpoint has the configured model. Free of charge, and sends no text. */
  hasModel(): Promise<boolean>;
};
