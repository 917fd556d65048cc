/** A language model, as the portal uses it: one text in, one text out. Implemented by `language-model-client.ts`. */
export type LanguageModelRequest = {
  /** What the model is to do with the text. Ours, and the same for everyone. */
  readonly instruction: string;
  readonly text: string;
  /** The most that the model may write: a bound of the cost of one call. */
  readonly maxTokens: number;
};

/** `model` as the provider names what answered. */
export type LanguageModelAnswer = { readonly text: string; readonly model: string };

/** A call changes nothing at the provider, but costs. Failures are ProviderErrors; nothing is repeated by the client. */
export type LanguageModel = {
  rewrite(request: LanguageModelRequest): Promise<LanguageModelAnswer>;
  /** Whether the endpoint has the configured model. Costs nothing and sends no text. */
  hasModel(): Promise<boolean>;
};
