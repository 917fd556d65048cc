/** One upload of a statement: idle, sending, checking, refused; a judged one waits on the page. */
import { STATEMENT_LIMIT_BYTES, TAX_STATEMENTS_PATH, taxStatementsApi, type TaxStatement } from '@portal/contract/tax-statements.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { ApiError } from '../../lib/problem-to-error.ts';
import { uploadFile } from '../../lib/upload-file.ts';

export type StatementUpload =
  | { readonly status: 'idle' }
  | { readonly status: 'sending'; readonly fileName: string; readonly part: number }
  | { readonly status: 'checking'; readonly fileName: string }
  | { readonly status: 'refused'; readonly fileName: string; readonly reason: string };

const LIMIT_MB = STATEMENT_LIMIT_BYTES / 1024 / 1024;

/** What can be seen without sending the file. */
function refusalBeforeSending(file: File): string | undefined {
  if (file.size === 0) return 'This file is empty. No figure has changed.';
  if (file.size <= STATEMENT_LIMIT_BYTES) return undefined;
  return `This file has ${Math.ceil(file.size / 1024 / 1024).toLocaleString('en-GB')} MB; we read at most ${LIMIT_MB} MB. Split it by clients.`;
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiError && error.code === 'network.unreachable') {
    return 'The connection broke before the file was through. No figure has changed. Check your internet connection, then try again.';
  }
  return errorText(error);
}

export function useStatementUpload(companyId: string, tax: TaxStatement['tax_type']) {
  const [state, setState] = useState<StatementUpload>({ status: 'idle' });
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
      await uploadFile(TAX_STATEMENTS_PATH, { company_id: companyId, tax_type: tax, file_name: file.name, hold: '1' }, file, {
        signal: controller.signal,
        onProgress: (part) =>
          setState(part < 1 ? { status: 'sending', fileName: file.name, part } : { status: 'checking', fileName: file.name }),
      });
      await queries.invalidateQueries({ queryKey: [taxStatementsApi.list.path] });
      setState({ status: 'idle' });
    } catch (error) {
      setState(controller.signal.aborted ? { status: 'idle' } : { status: 'refused', fileName: file.name, reason: reasonOf(error) });
    }
  };
  return { state, upload: (file: File) => void upload(file), cancel: () => running.current?.abort() };
}
