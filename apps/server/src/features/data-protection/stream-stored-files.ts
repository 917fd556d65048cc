/** Reads the uploaded files of a practice for its download, one at a time. */
import type { Db } from '@portal/db/database.ts';
import { clientFileContents, clientFiles } from '@portal/db/schema/schema.ts';
import { and, asc, eq, isNull } from '@portal/db/sql.ts';
import type { ZipFile } from '../exports/write-zip.ts';

/** Our ZIP files are limited to 4 GB (write-zip.ts has no ZIP64), and the tables need room too. */
const MAX_BYTES = 3 * 1024 ** 3;

export async function* streamStoredFiles(db: Db, companyId: string): AsyncGenerator<ZipFile> {
  const files = await db
    .select({ id: clientFiles.id, name: clientFiles.name, sizeBytes: clientFiles.sizeBytes })
    .from(clientFiles)
    .where(and(eq(clientFiles.companyId, companyId), eq(clientFiles.state, 'clean'), isNull(clientFiles.removedAt)))
    .orderBy(asc(clientFiles.uploadedAt), asc(clientFiles.id));
  let total = 0;
  for (const { id, name, sizeBytes } of files) {
    total += sizeBytes;
    if (total > MAX_BYTES) return;
    const [content] = await db
      .select({ bytes: clientFileContents.bytes })
      .from(clientFileContents)
      .where(and(eq(clientFileContents.companyId, companyId), eq(clientFileContents.fileId, id)));
    if (content) yield { name: `files/${id} ${name}`, content: content.bytes };
  }
}
