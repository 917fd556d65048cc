/** Uploads the chosen files one after another. Each keeps its id, so that a retry never stores it twice. */
import { useEffect, useRef, useState } from 'react';
import { MAX_FILE_BYTES } from '@portal/domain/client-files/client-file.ts';
import { clientText } from '../../lib/client-texts/client-texts.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { ApiError } from '../../lib/problem-to-error.ts';
import { uploadFile } from '../../lib/upload-file.ts';

export type QueuedFile = {
  readonly id: string;
  readonly file: File;
  readonly state: 'waiting' | 'sending' | 'scanning' | 'sent' | 'quarantined' | 'failed';
  readonly percent: number;
  readonly reason?: string;
  /** True if the same file may succeed later. */
  readonly mayRetry?: boolean;
};

const MEGABYTE = 1024 * 1024;

function findProblem({ size }: File): string | undefined {
  if (size === 0) return clientText('files.empty');
  if (size <= MAX_FILE_BYTES) return undefined;
  return clientText('files.too_large', { megabytes: Math.ceil(size / MEGABYTE), limit: MAX_FILE_BYTES / MEGABYTE });
}

export type FileTarget = { readonly path: string; readonly query: Readonly<Record<string, string>> };

export function useFileQueue({ path, query }: FileTarget, onSent: () => Promise<unknown> | void) {
  const [files, setFiles] = useState<readonly QueuedFile[]>([]);
  const queueRef = useRef<Promise<void>>(Promise.resolve());
  const abortController = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    abortController.current = controller;
    return () => controller.abort();
  }, []);
  const update = (id: string, change: Partial<QueuedFile>) =>
    setFiles((all) => all.map((item) => (item.id === id ? { ...item, ...change } : item)));
  const send = async ({ id, file }: Pick<QueuedFile, 'id' | 'file'>): Promise<void> => {
    if (abortController.current.signal.aborted) return;
    update(id, { state: 'sending', percent: 0 });
    try {
      const uploadedFile = (await uploadFile(path, { ...query, file_id: id, file_name: file.name }, file, {
        signal: abortController.current.signal,
        onProgress: (fraction) =>
          update(id, fraction < 1 ? { state: 'sending', percent: Math.floor(fraction * 100) } : { state: 'scanning', percent: 100 }),
      })) as { state?: string };
      update(id, { state: uploadedFile.state === 'quarantined' ? 'quarantined' : 'sent' });
      await onSent();
    } catch (error) {
      if (abortController.current.signal.aborted) return;
      const isLost = error instanceof ApiError && (error.code === 'network.unreachable' || error.status >= 500 || error.status === 429);
      const isUnreachable = error instanceof ApiError && error.code === 'network.unreachable';
      const reason = isUnreachable ? clientText('files.connection') : getErrorText(error);
      update(id, { state: 'failed', reason, mayRetry: isLost });
      // Refetch even after a file with a virus, because it is listed as deleted.
      await onSent();
    }
  };
  const enqueue = (item: Pick<QueuedFile, 'id' | 'file'>) => void (queueRef.current = queueRef.current.then(() => send(item)));
  return {
    files,
    add: (chosenFiles: readonly File[]) => {
      const addedFiles = chosenFiles.map((file): QueuedFile => {
        const reason = findProblem(file);
        const id = crypto.randomUUID();
        return reason === undefined ? { id, file, state: 'waiting', percent: 0 } : { id, file, state: 'failed', percent: 0, reason };
      });
      setFiles((all) => [...all, ...addedFiles]);
      for (const file of addedFiles) if (file.state === 'waiting') enqueue(file);
    },
    retry: (id: string) => {
      const queuedFile = files.find((file) => file.id === id);
      if (!queuedFile) return;
      update(id, { state: 'waiting' });
      enqueue(queuedFile);
    },
    dismiss: (id: string) => setFiles((all) => all.filter((item) => item.id !== id)),
  };
}
