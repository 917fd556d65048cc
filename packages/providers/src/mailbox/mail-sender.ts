/** Sends a complete email message through a user's own mailbox. Gmail and Microsoft Graph share this port. */
import { parseJson } from '../http/parse-json.ts';
import { ProviderError, type ProviderErrorFacts, type ProviderFailure } from '../http/provider-error.ts';
import { parseRetryAfterSeconds } from '../http/retry-after.ts';
import { wasNeverSent } from '../http/was-never-sent.ts';

export type MailSender = {
  /** `message` is complete (RFC 5322). Resolves once the provider has accepted it. Any failure except `unknown` means it wasn't sent. */
  send(accessToken: string, message: Uint8Array): Promise<void>;
};

export type MailSenderDeps = {
  /** Set only for a simulator, which serves all of the provider's hosts there. */
  readonly serverUrl?: string;
  readonly fetch: typeof globalThis.fetch;
  /** Time limit for one call; default 30 seconds, because a message may be large. */
  readonly timeoutMs?: number;
};

export type SendResponse = { readonly status: number; readonly headers: Headers; readonly body: unknown };

export type SendDefinition = {
  readonly provider: 'google' | 'microsoft';
  readonly origin: string;
  readonly path: string;
  readonly toRequest: (message: Uint8Array) => { readonly contentType: string; readonly body: string };
  readonly isAccepted: (sendResponse: SendResponse) => boolean;
  /** Extracts the provider's error from a 4xx response. `failure` is undefined if the status alone explains it. */
  readonly readError: (body: unknown) => {
    readonly code?: string | undefined;
    readonly detail?: string | undefined;
    readonly failure?: ProviderFailure | undefined;
  };
};

export function createMailSender(definition: SendDefinition, deps: MailSenderDeps): MailSender {
  const { provider, origin, path, toRequest, isAccepted } = definition;
  const operation = `${provider}.send_mail`;
  return {
    send: async (accessToken, message) => {
      const { contentType, body } = toRequest(message);
      let sendResponse: SendResponse;
      try {
        const response = await deps.fetch(`${deps.serverUrl?.replace(/\/$/, '') ?? origin}${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${accessToken}`, 'content-type': contentType },
          body,
          redirect: 'manual',
          signal: AbortSignal.timeout(deps.timeoutMs ?? 30_000),
        });
        sendResponse = { status: response.status, headers: response.headers, body: parseJson(await response.text()) };
      } catch (error) {
        throw new ProviderError(wasNeverSent(error) ? 'unavailable' : 'unknown', { provider, operation }, error);
      }
      if (!isAccepted(sendResponse)) throw toProviderError(definition, operation, sendResponse);
    },
  };
}

function toProviderError({ provider, readError }: SendDefinition, operation: string, sendResponse: SendResponse): ProviderError {
  const { status, headers, body } = sendResponse;
  const { code, detail, failure } = status >= 400 && status < 500 ? readError(body) : {};
  const retryAfterSeconds = parseRetryAfterSeconds(headers);
  const facts: ProviderErrorFacts = {
    provider,
    operation,
    status,
    ...(code === undefined ? {} : { code }),
    ...(detail === undefined ? {} : { detail }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
  return new ProviderError(failure ?? toFailure(status), facts);
}

/** A success without the documented response, a redirect, or a 5xx doesn't show whether the message was sent. */
function toFailure(status: number): ProviderFailure {
  if (status === 401) return 'unauthorized';
  if (status === 429) return 'throttled';
  return status >= 400 && status < 500 && status !== 408 ? 'refused' : 'unknown';
}
