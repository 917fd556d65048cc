/** Uploads one file. The caller supplies the text for the file and for a rejected upload. */
import { useEffect, useRef, useState } from 'react';
import { getErrorText } from './error-text.ts';
import { ApiError } from './problem-to-error.ts';
import { uploadFile } from './upload-file.ts';

export type UploadInProgress =
  | { readonly status: 'sending'; readonly fileName: string; readonly fraction: number }
  | { readonly status: 'checking'; readonly fileName: string };

export type UploadRejected = {
  readonly status: 'refused';
  readonly fileName: string;
  readonly reason: string;
  /** The details of the server's error. */
  readonly details: unknown;
};

export type FileUpload<Result> =
  | { readonly status: 'idle' }
  | UploadInProgress
  | UploadRejected
  | { readonly status: 'taken'; readonly answer: Result };

type UploadOptions<Result> = {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly maxFileBytes: number;
  /** How to make a large file smaller, for example "Split it by clients." */
  readonly tooLargeAdvice: string;
  /** What is unchanged if the file is rejected, for example "No client has changed." */
  readonly unchangedText: string;
  /** Parses the response and invalidates the queries that it changes. */
  readonly onUploaded: (uploadResult: unknown) => Result | Promise<Result>;
};

const MEGABYTE = 1024 * 1024;

/** Checks the file before uploading it. */
function findFileProblem<Result>(file: File, { maxFileBytes, tooLargeAdvice, unchangedText }: UploadOptions<Result>): string | undefined {
  if (file.size === 0) return `This file is empty. ${unchangedText}`;
  if (file.size <= maxFileBytes) return undefined;
  const megabytes = Math.ceil(file.size / MEGABYTE).toLocaleString('en-GB');
  return `This file is ${megabytes} MB. The limit is ${maxFileBytes / MEGABYTE} MB. ${tooLargeAdvice}`;
}

function getFailureReason(error: unknown, unchangedText: string): string {
  if (error instanceof ApiError && error.code === 'network.unreachable') {
    return `The connection was lost before the file arrived. ${unchangedText} Check your internet connection, then try again.`;
  }
  return getErrorText(error);
}

export function useFileUpload<Result>(options: UploadOptions<Result>) {
  const [state, setState] = useState<FileUpload<Result>>({ status: 'idle' });
  const abortRef = useRef<AbortController>(undefined);
  useEffect(() => () => abortRef.current?.abort(), []);
  const upload = async (file: File): Promise<void> => {
    const fileName = file.name;
    const problem = findFileProblem(file, options);
    if (problem !== undefined) {
      setState({ status: 'refused', fileName, reason: problem, details: undefined });
      return;
    }
    const controller = new AbortController();
    abortRef.current = controller;
    setState({ status: 'sending', fileName, fraction: 0 });
    try {
      const uploadResult = await uploadFile(options.path, { ...options.query, file_name: fileName }, file, {
        signal: controller.signal,
        onProgress: (fraction) => setState(fraction < 1 ? { status: 'sending', fileName, fraction } : { status: 'checking', fileName }),
      });
      setState({ status: 'taken', answer: await options.onUploaded(uploadResult) });
    } catch (error) {
      const details = error instanceof ApiError ? error.details : undefined;
      const rejectedUpload = { status: 'refused', fileName, reason: getFailureReason(error, options.unchangedText), details } as const;
      setState(controller.signal.aborted ? { status: 'idle' } : rejectedUpload);
    }
  };
  return { state, upload: (file: File) => void upload(file), cancel: () => abortRef.current?.abort() };
}
