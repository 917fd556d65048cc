// Tests that an expired session is handled as for every API request (docs/product/specification.md section 8).
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { uploadFile } from './upload-file.ts';

/** Creates an XMLHttpRequest that responds to every request with one status and body. */
function createFakeRequest(status: number, body: string): typeof XMLHttpRequest {
  return class extends EventTarget {
    status = status;
    responseText = body;
    upload = new EventTarget();
    withCredentials = false;
    open = () => undefined;
    setRequestHeader = () => undefined;
    abort = () => undefined;
    send = () => queueMicrotask(() => this.dispatchEvent(new Event('load')));
  } as unknown as typeof XMLHttpRequest;
}

const realXMLHttpRequest = globalThis.XMLHttpRequest;
const page = '/portal/v2/instant-vat/steps/bookkeeping?company_id=1';
beforeEach(() => window.history.replaceState(null, '', page));
afterEach(() => {
  globalThis.XMLHttpRequest = realXMLHttpRequest;
  localStorage.clear();
});

async function upload(status: number, body: unknown): Promise<{ wentTo: string[]; outcome: unknown }> {
  globalThis.XMLHttpRequest = createFakeRequest(status, JSON.stringify(body));
  const visitedUrls: string[] = [];
  const options = { signal: new AbortController().signal, onProgress: () => undefined, goTo: (url: string) => void visitedUrls.push(url) };
  const outcome = await uploadFile('/instant-vat/books/file', { company_id: '1' }, new File(['x'], 'books.csv'), options).catch(
    (error: unknown) => error,
  );
  return { wentTo: visitedUrls, outcome };
}

describe('an upload', () => {
  it('with an expired session opens the login page and saves the current page', async () => {
    const { wentTo, outcome } = await upload(401, { code: 'identity.not_signed_in', message: 'Sign in to continue.' });
    expect(wentTo).toEqual(['/portal/login']);
    expect(outcome).toMatchObject({ status: 401 });
    expect(localStorage.getItem('post-login-redirect')).toBe(page);
  });

  it('with a badly formed company id opens the home page', async () => {
    expect((await upload(400, { message: { company_id: 'badly formed' } })).wentTo).toEqual(['/portal/home']);
  });

  it('that is rejected for its content stays on the page', async () => {
    const { wentTo, outcome } = await upload(422, { code: 'books.refused', message: 'Line 3 has no date.' });
    expect(wentTo).toEqual([]);
    expect(outcome).toMatchObject({ status: 422, message: 'Line 3 has no date.' });
  });

  it('that is accepted returns the server’s response', async () => {
    expect(await upload(201, { rows: 3 })).toEqual({ wentTo: [], outcome: { rows: 3 } });
  });
});
