/** Error messages for users. Uses the server's message unless the cause is in the browser or the network. */
import { ApiError } from './problem-to-error.ts';

export type ErrorDescription = { readonly heading: string; readonly text: string; readonly canRetry: boolean };

const HEADINGS: Readonly<Record<number, string>> = {
  0: 'You appear to be offline',
  403: 'You don’t have access to this',
  404: 'Not found',
  409: 'This has changed since you opened it',
  429: 'Too many attempts',
  502: 'Another service isn’t responding',
  503: 'We’re busy at the moment',
  504: 'Another service isn’t responding',
};

const NON_RETRYABLE_STATUSES: ReadonlySet<number> = new Set([400, 403, 404, 422]);

export function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof ApiError)) {
    return {
      heading: 'This page has a problem',
      text: 'Everything you’ve saved is safe. Reload the page to continue.',
      canRetry: true,
    };
  }
  return {
    heading: HEADINGS[error.status] ?? (error.status >= 500 ? 'Sorry, there’s a problem with our service' : 'Sorry, that didn’t work'),
    text: error.message,
    canRetry: !NON_RETRYABLE_STATUSES.has(error.status),
  };
}

/**
 * Returns a message to show beside an action. If we or a provider caused the error, the message ends with the request ID, so that support
 * can trace it.
 */
export function getErrorText(error: unknown): string {
  const { text } = describeError(error);
  const requestId = error instanceof ApiError && error.status >= 500 ? error.requestId : undefined;
  return requestId === undefined ? text : `${text} If you contact us, quote ${requestId}.`;
}
