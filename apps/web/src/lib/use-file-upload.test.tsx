// Tests that a rejected file shows the reason and what is unchanged, and that a cancelled upload leaves nothing behind.
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { useFileUpload } from './use-file-upload.ts';

/** A request that the test completes, fails or leaves pending. */
class FakeRequest extends EventTarget {
  static last: FakeRequest | undefined;
  static sent = 0;
  status = 0;
  responseText = '';
  upload = new EventTarget();
  url = '';
  open = (_method: string, url: string) => {
    this.url = url;
  };
  setRequestHeader = () => undefined;
  abort = () => undefined;
  send = () => {
    FakeRequest.last = this;
    FakeRequest.sent += 1;
  };
  answer(status: number, body: unknown): void {
    this.status = status;
    this.responseText = JSON.stringify(body);
    this.dispatchEvent(new Event('load'));
  }
}

const realXMLHttpRequest = globalThis.XMLHttpRequest;
afterEach(() => {
  cleanup();
  globalThis.XMLHttpRequest = realXMLHttpRequest;
});

function startUpload(size = 3) {
  globalThis.XMLHttpRequest = FakeRequest as unknown as typeof XMLHttpRequest;
  FakeRequest.sent = 0;
  const hook = renderHook(() =>
    useFileUpload({
      path: '/open-tax/files',
      query: { company_id: 'p' },
      maxFileBytes: 1024 * 1024,
      tooLargeAdvice: 'Split it.',
      unchangedText: 'No client has changed.',
      onUploaded: (uploadResult) => (uploadResult as { rows: number }).rows,
    }),
  );
  act(() => hook.result.current.upload(new File(['x'.repeat(size)], 'list.csv')));
  return hook.result;
}

it('reports its progress and result', async () => {
  const upload = startUpload();
  expect(FakeRequest.last?.url).toBe('/portal/open-tax/files?company_id=p&file_name=list.csv');
  act(() => void FakeRequest.last?.upload.dispatchEvent(new ProgressEvent('progress', { loaded: 1, total: 4 })));
  expect(upload.current.state).toEqual({ status: 'sending', fileName: 'list.csv', fraction: 0.25 });
  act(() => void FakeRequest.last?.upload.dispatchEvent(new Event('load')));
  expect(upload.current.state).toEqual({ status: 'checking', fileName: 'list.csv' });
  act(() => FakeRequest.last?.answer(201, { rows: 3 }));
  await waitFor(() => expect(upload.current.state).toEqual({ status: 'taken', answer: 3 }));
});

it.each([
  [0, 'This file is empty. No client has changed.'],
  [1024 * 1024 + 1, 'This file is 2 MB. The limit is 1 MB. Split it.'],
])('rejects a file of %d bytes without sending it', (size, reason) => {
  expect(startUpload(size).current.state).toMatchObject({ status: 'refused', reason });
  expect(FakeRequest.sent).toBe(0);
});

it('says that nothing has changed if the connection breaks', async () => {
  const upload = startUpload();
  act(() => void FakeRequest.last?.dispatchEvent(new Event('error')));
  const reason = 'The connection was lost before the file arrived. No client has changed. Check your internet connection, then try again.';
  await waitFor(() => expect(upload.current.state).toMatchObject({ status: 'refused', reason }));
});

it('keeps the server’s details of a rejection', async () => {
  const upload = startUpload();
  act(() => FakeRequest.last?.answer(422, { code: 'books.refused', message: 'Line 3 has no date.', details: { error_count: 1 } }));
  await waitFor(() =>
    expect(upload.current.state).toMatchObject({ status: 'refused', reason: 'Line 3 has no date.', details: { error_count: 1 } }),
  );
});

it('is idle again after it is cancelled', async () => {
  const upload = startUpload();
  act(() => upload.current.cancel());
  await waitFor(() => expect(upload.current.state).toEqual({ status: 'idle' }));
});
