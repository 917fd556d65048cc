/**
 * Loads the hashes stored outside the database, which an auditor compares the trail with. Without them, entries removed from the end of a
 * chain wouldn't be noticed.
 */
import { readAuditHeads, type WrittenHead } from './audit-heads.ts';

export type WrittenHeads = {
  readonly heads: readonly WrittenHead[];
  /** Sentences that explain why the comparison isn't conclusive. */
  readonly problems: readonly string[];
  /** Further information for an auditor besides the result. */
  readonly notes: readonly string[];
};

/** `configuredFile` is AUDIT_HEADS_FILE; `furtherFiles` are the files passed to the command. */
export async function loadWrittenHeads(configuredFile: string, furtherFiles: readonly string[]): Promise<WrittenHeads> {
  const heads: WrittenHead[] = [];
  const problems: string[] = [];
  const notes: string[] = [];
  for (const [index, file] of [configuredFile, ...furtherFiles].entries()) {
    const read = await tryReadHeads(file);
    if ('problem' in read) {
      // If other files are given, the configured one may belong to another instance.
      const isOptional = index === 0 && furtherFiles.length > 0;
      (isOptional ? notes : problems).push(`${file}: ${read.problem}`);
      continue;
    }
    heads.push(...read.heads);
    if (read.heads.length === 0) notes.push(`${file}: no hashes yet.`);
    if (read.unreadableLines.length > 0) notes.push(`${file}: no hash on line ${read.unreadableLines.join(', ')} (cut off or changed).`);
  }
  if (heads.length === 0) {
    problems.push(
      'No hash stored outside the database was compared, so this can’t show whether entries were removed from the end of a chain. Set AUDIT_HEADS_FILE as on the portals, or name their files with --heads FILE.',
    );
  }
  return { heads, problems, notes };
}

async function tryReadHeads(file: string): Promise<Awaited<ReturnType<typeof readAuditHeads>> | { readonly problem: string }> {
  try {
    return await readAuditHeads(file);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return {
      problem: isMissing ? 'this file doesn’t exist.' : `it can’t be read (${error instanceof Error ? error.message : String(error)}).`,
    };
  }
}
