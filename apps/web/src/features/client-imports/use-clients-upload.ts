/** One upload of a file of clients: idle, sending, checking, refused; a judged one is the page's import. */
import { CLIENTS_FILE_LIMIT_BYTES, CLIENTS_UPLOAD_PATH, clientImportsApi } from '@portal/contract/client-imports.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { ApiError } from '../../lib/problem-to-error.ts';
import { uploadFile } from '../../lib/upload-file.ts';

export type UploadState =
  | { readonly status: 'idle' }
  | { readonly status: 'sending'; readonly fileName: string; readonly part: number }
  | { readonly status: 'checking'; readonly fileName: string }
  | { readonly status: 'refused'; readonly fileName: string; readonly reason: string };

/** What can be seen without sending the file. */
function refusalBeforeSending(file: File): string | undefined {
  if (file.size === 0) return 'This file is empty. No client has changed.';
  if (file.size <= CLIENTS_FILE_LIMIT_BYTES) return undefined;
  const megabytes = Math.ceil(file.size / 1024 / 1024).toLocaleString('en-GB');
  return `This file has ${megabytes} MB; we read at most 20 MB. Split it, or leave out columns that the template does not have.`;
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiError && error.code === 'network.unreachable') {
    return 'The connection broke before the file was through. No client has changed. Check your internet connection, then try again.';
  }
  return errorText(error);
}

type Upload = { readonly state: UploadState; readonly upload: (file: File) => void; readonly cancel: () => void };

export function useClientsUpload(companyId: string, source: string, onJudged: () => void): Upload {
  const [state, setState] = useState<UploadState>({ status: 'idle' });
  const running = useRef<AbortController>(undefined);
  const queries = useQueryClient();
  useEffect(() => () => running.current?.abort(), []);
  const upload = async (file: File): Promise<void> => {
    const early = refusalBeforeSending(file);
    if (early !== undefined) {
      setState({ status: 'refused', fileName: file.name, reason: early });
      return;
    }
    const controller = new AbortController();
    running.current = controller;
    setState({ status: 'sending', fileName: file.name, part: 0 });
    try {
      await uploadFile(CLIENTS_UPLOAD_PATH, { company_id: companyId, file_name: file.name, source }, file, {
        signal: controller.signal,
        onProgress: (part) =>
          setState(part < 1 ? { status: 'sending', fileName: file.name, part } : { status: 'checking', fileName: file.name }),
      });
      await queries.invalidateQueries({ queryKey: [clientImportsApi.info.path] });
      onJudged();
      setState({ status: 'idle' });
    } catch (error) {
      setState(controller.signal.aborted ? { status: 'idle' } : { status: 'refused', fileName: file.name, reason: reasonOf(error) });
    }
  };
  return { state, upload: (file) => void upload(file), cancel: () => running.current?.abort() };
}
