/** Reads a folder of recordings: one JSON file per resource, each an array of the provider's own objects. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RowError } from '@portal/domain/books/books-row.ts';
import type { RecordedObject, Recordings } from '@portal/sandbox/simulator/recordings.ts';

/** Treats a missing file as an empty resource. */
export async function readRecordings(
  folder: string,
  files: readonly string[],
): Promise<{ readonly recordings: Recordings } | { readonly errors: readonly RowError[] }> {
  const folderStat = await stat(folder).catch(() => undefined);
  if (!folderStat?.isDirectory()) return { errors: [{ line: 0, column: '--data', reason: `${folder} isn’t a folder` }] };
  const errors: RowError[] = [];
  const recordings: Record<string, readonly RecordedObject[]> = {};
  for (const name of files) {
    const file = `${name}.json`;
    const text = await readFile(join(folder, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '[]';
      throw error;
    });
    const parsed = parseText(text);
    if (isRecording(parsed)) recordings[name] = parsed;
    else errors.push({ line: 0, column: file, reason: `${file} must be a JSON array of the provider’s objects` });
  }
  return errors.length > 0 ? { errors } : { recordings };
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecording(value: unknown): value is readonly RecordedObject[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item));
}
