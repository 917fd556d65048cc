/** One upload of a books file: idle, sending, checking, applied, refused. */
import {
  BOOKS_FILE_LIMIT_BYTES,
  BOOKS_UPLOAD_PATH,
  booksFileError,
  booksUploadOutput,
  type BooksFile,
  type BooksFileError,
} from '@portal/contract/books.ts';
import { dashboardApi } from '@portal/contract/dashboard.ts';
import { onboardingApi } from '@portal/contract/onboarding.ts';
import { vatReturnsApi } from '@portal/contract/vat-returns.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import { errorText } from '../../lib/error-text.ts';
import { ApiError } from '../../lib/problem-to-error.ts';
import { uploadFile } from '../../lib/upload-file.ts';

export type UploadState =
  | { readonly status: 'idle' }
  | { readonly status: 'sending'; readonly fileName: string; readonly part: number }
  | { readonly status: 'checking'; readonly fileName: string }
  | { readonly status: 'applied'; readonly file: BooksFile }
  | {
      readonly status: 'refused';
      readonly fileName: string;
      readonly reason: string;
      readonly errors: readonly BooksFileError[];
      readonly errorCount: number;
    };

const refusalDetails = z.object({ errors: z.array(booksFileError).catch([]), error_count: z.int().optional().catch(undefined) });

function refusalOf(fileName: string, error: unknown): UploadState {
  const details = refusalDetails.parse(error instanceof ApiError ? error.details : {});
  return {
    status: 'refused',
    fileName,
    reason: errorText(error),
    errors: details.errors,
    errorCount: details.error_count ?? details.errors.length,
  };
}

/** What can be seen without sending the file. */
function refusalBeforeSending(file: File): string | undefined {
  if (file.size === 0) return 'This file is empty. Your books are as they were.';
  if (file.size > BOOKS_FILE_LIMIT_BYTES) {
    const megabytes = Math.ceil(file.size / 1024 / 1024).toLocaleString('en-GB');
    return `This file has ${megabytes} MB; we read at most 50 MB. Split it by quarter, or leave out columns that the template does not have.`;
  }
  return undefined;
}

export function useBooksUpload(companyId: string): { state: UploadState; upload: (file: File) => void; cancel: () => void } {
  const [state, setState] = useState<UploadState>({ status: 'idle' });
  const running = useRef<AbortController>(undefined);
  const queries = useQueryClient();
  useEffect(() => () => running.current?.abort(), []);

  const upload = async (file: File): Promise<void> => {
    const early = refusalBeforeSending(file);
    if (early !== undefined) {
      setState({ status: 'refused', fileName: file.name, reason: early, errors: [], errorCount: 0 });
      return;
    }
    const controller = new AbortController();
    running.current = controller;
    setState({ status: 'sending', fileName: file.name, part: 0 });
    try {
      const answer = await uploadFile(BOOKS_UPLOAD_PATH, { company_id: companyId, file_name: file.name }, file, {
        signal: controller.signal,
        onProgress: (part) =>
          setState(part < 1 ? { status: 'sending', fileName: file.name, part } : { status: 'checking', fileName: file.name }),
      });
      // The figures computed from the books before are no longer true.
      for (const path of [onboardingApi.progress.path, dashboardApi.get.path, vatReturnsApi.get.path, vatReturnsApi.transactions.path]) {
        void queries.invalidateQueries({ queryKey: [path] });
      }
      setState({ status: 'applied', file: booksUploadOutput.parse(answer) });
    } catch (error) {
      setState(controller.signal.aborted ? { status: 'idle' } : refusalOf(file.name, error));
    }
  };
  return { state, upload: (file) => void upload(file), cancel: () => running.current?.abort() };
}
