/** Error messages for people. The server's message is used unless it depends on the browser's side. */
import { ApiError } from './problem-to-error.ts';

export type ErrorDescription = { readonly heading: string; readonly text: string; readonly canRetry: boolean };

const HEADINGS: Readonly<Record<number, string>> = {
  0: 'You seem to be offline',
  403: 'You may not open this',
  404: 'We cannot find this',
  409: 'This has changed meanwhile',
  429: 'Too many tries',
  502: 'Another service did not answer',
  503: 'The portal is busy',
  504: 'Another service did not answer',
};

const NOT_RETRYABLE: ReadonlySet<number> = new Set([400, 403, 404, 422]);

export function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof ApiError)) {
    return {
      heading: 'This page has a fault',
      text: 'It is ours, not yours. Load the page again; nothing you saved is lost.',
      canRetry: true,
    };
  }
  return {
    heading: HEADINGS[error.status] ?? (error.status >= 500 ? 'The portal has a fault' : 'This did not work'),
    text: error.message,
    canRetry: !NOT_RETRYABLE.has(error.status),
  };
}

export const errorText = (error: unknown): string => describeError(error).text;
