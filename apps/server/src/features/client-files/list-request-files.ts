import type { ClientFile } from '@portal/contract/client-files.ts';
import type { Db } from '@portal/db/database.ts';
import { clientFiles, users } from '@portal/db/schema/schema.ts';
import { and, asc, eq, isNotNull, isNull } from '@portal/db/sql.ts';
import { MAX_FILES } from '@portal/domain/client-files/client-file.ts';
import type { ClientTenant } from '../../http/resolve-tenant.ts';
import { CLIENT_FILE_FIELDS, isOfOwner } from './client-files-queries.ts';

type RequestFile = ClientFile & { readonly request_item_id: string | null };

/** Lists the files uploaded for request items, oldest first. */
export async function listRequestFiles(db: Db, { practiceId, clientId }: ClientTenant): Promise<RequestFile[]> {
  return db
    .select({ ...CLIENT_FILE_FIELDS, request_item_id: clientFiles.requestItemId })
    .from(clientFiles)
    .innerJoin(users, eq(users.id, clientFiles.uploadedBy))
    .where(and(isOfOwner({ companyId: practiceId, clientId }), isNull(clientFiles.removedAt), isNotNull(clientFiles.requestItemId)))
    .orderBy(asc(clientFiles.uploadedAt), asc(clientFiles.id))
    .limit(MAX_FILES);
}
