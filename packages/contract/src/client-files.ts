/**
 * Files that a practice and its client's users exchange, and files on tasks. An upload is a stream with the file as its body. See
 * docs/decisions/0062-clients-files.md.
 */
import { FILE_FOLDERS, FILE_STATES, FILE_TYPE_KEYS } from '@portal/domain/client-files/client-file.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, doneOutput, fileNameScalar, idScalar, instantScalar } from './scalars.ts';

export const CLIENT_FILE_UPLOAD_PATH = '/client/files/upload';
export const CLIENT_FILE_PATH = '/client/files/file';
export const WORK_FILE_UPLOAD_PATH = '/open-tax/work-items/files/upload';
export const WORK_FILE_PATH = '/open-tax/work-items/files/file';

const folder = z.enum(FILE_FOLDERS);
const MIN_YEAR = 1990;
const MAX_YEAR = 2100;
const year = z
  .int()
  .check(z.gte(MIN_YEAR, `Enter a year no earlier than ${MIN_YEAR}`), z.lte(MAX_YEAR, `Enter a year no later than ${MAX_YEAR}`));

/** For the client’s own users, both IDs are the client's. */
const clientInput = z.extend(companyInput, { client_id: idScalar });

/** The sender chooses `file_id`, so that repeating an upload changes nothing. */
const uploadFields = { file_id: idScalar, file_name: fileNameScalar };
export const clientFileUploadQuery = z.extend(clientInput, {
  ...uploadFields,
  is_shared: z.optional(z.enum(['true', 'false'])),
  /** The request item that this file answers for the client’s users. */
  request_item_id: z.optional(idScalar),
});
export const clientFileQuery = z.extend(clientInput, { file_id: idScalar });
const workItemInput = z.extend(companyInput, { item_id: idScalar });
export const workFileUploadQuery = z.extend(workItemInput, uploadFields);
export const workFileQuery = z.extend(workItemInput, { file_id: idScalar });

const file = z.object({
  file_id: idScalar,
  name: z.string(),
  type: z.enum(FILE_TYPE_KEYS),
  size_bytes: z.int(),
  state: z.enum(FILE_STATES),
  uploaded_by: z.string(),
  uploaded_at: instantScalar,
});
export const uploadedFileOutput = file;

export const clientFile = z.extend(file, {
  is_from_client: z.boolean(),
  folder,
  year: z.nullable(z.int()),
  /** Whether the client can see the file. */
  is_shared: z.boolean(),
});
export type ClientFile = z.output<typeof clientFile>;
export type WorkFile = z.output<typeof file>;

export const clientFilesApi = {
  list: endpoint({
    method: 'GET',
    path: '/client/files',
    access: 'client.papers',
    summary: 'List the client’s files, newest first. Client users see only the files they sent or the practice shared.',
    input: clientInput,
    output: z.object({ files: z.array(clientFile) }),
  }),
  change: endpoint({
    method: 'POST',
    path: '/client/files/change',
    access: 'client.work',
    summary: 'Set a file’s folder and year, and share it with the client or stop sharing it',
    input: z.extend(clientInput, { file_id: idScalar, folder, year: z.nullable(year), is_shared: z.boolean() }),
    output: doneOutput,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/client/files/remove',
    access: 'client.work',
    summary: 'Delete a file’s content. Its name stays in the audit trail.',
    input: z.extend(clientInput, { file_id: idScalar }),
    output: doneOutput,
  }),
  listOfWork: endpoint({
    method: 'GET',
    path: '/open-tax/work-items/files',
    access: 'practice.work',
    summary: 'List a task’s files, oldest first',
    input: workItemInput,
    output: z.object({ files: z.array(file) }),
  }),
  removeOfWork: endpoint({
    method: 'POST',
    path: '/open-tax/work-items/files/remove',
    access: 'practice.work',
    summary: 'Delete the content of a task’s file',
    input: z.extend(workItemInput, { file_id: idScalar }),
    output: doneOutput,
  }),
};
