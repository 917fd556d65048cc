/** Sends a file as the raw body and reports progress. Uses XMLHttpRequest, because fetch can't report upload progress in every browser. */
import { ApiError, toApiError } from './problem-to-error.ts';
import { savePostLoginPath } from './post-login-path.ts';
import { PORTAL_BASE } from './settings.ts';

export type UploadOptions = {
  /** Leaves the page. Replaced in tests. */
  readonly goTo?: (url: string) => void;
  readonly signal: AbortSignal;
  /** From 0 to 1. At 1, the server has the whole file and is reading it. */
  readonly onProgress: (fraction: number) => void;
};

function getContentType(file: File): string {
  return /\.csv$/i.test(file.name) ? 'text/csv' : 'application/octet-stream';
}

/** Resolves to the response's JSON. Rejects with an ApiError on failure, or with the signal's reason when aborted. */
export function uploadFile(path: string, query: Readonly<Record<string, string>>, file: File, options: UploadOptions): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `${PORTAL_BASE}${path}?${new URLSearchParams(query).toString()}`);
    request.withCredentials = true;
    request.setRequestHeader('content-type', getContentType(file));
    request.setRequestHeader('accept', 'application/json');
    request.upload.addEventListener('progress', ({ loaded, total }) => options.onProgress(total > 0 ? loaded / total : 0));
    request.upload.addEventListener('load', () => options.onProgress(1));
    request.addEventListener('load', () => {
      const body = parseBody(request.responseText);
      if (request.status === 200 || request.status === 201) resolve(body);
      else if (request.status === 401) {
        // Handle an expired session as for every API request (docs/product/specification.md section 8). The user has to choose the file
        // again after logging in.
        savePostLoginPath();
        (options.goTo ?? ((url) => location.assign(url)))(`${PORTAL_BASE}/login`);
        reject(createSessionExpiredError());
      } else {
        const error = toApiError(request.status, body);
        if (error.message.includes('company_id: badly formed')) (options.goTo ?? ((url) => location.assign(url)))(`${PORTAL_BASE}/home`);
        reject(error);
      }
    });
    request.addEventListener('error', () =>
      reject(
        new ApiError({
          status: 0,
          code: 'network.unreachable',
          message: 'The connection dropped before the upload finished. Check your internet connection and try again.',
        }),
      ),
    );
    options.signal.addEventListener('abort', () => {
      request.abort();
      reject(options.signal.reason);
    });
    request.send(file);
  });
}

function createSessionExpiredError(): ApiError {
  return new ApiError({
    status: 401,
    code: 'session.unauthorized',
    message: 'You’ve been logged out. Log in again, then choose the file again.',
  });
}

function parseBody(text: string): unknown {
  try {
    return text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    return {};
  }
}
