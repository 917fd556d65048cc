/** Uploads and downloads of clients' and tasks' files. */
import { FILE_TYPES } from '@portal/domain/client-files/client-file.ts';
import {
  CLIENT_FILE_PATH,
  CLIENT_FILE_UPLOAD_PATH,
  clientFileQuery,
  clientFileUploadQuery,
  uploadedFileOutput,
  WORK_FILE_PATH,
  WORK_FILE_UPLOAD_PATH,
  workFileQuery,
  workFileUploadQuery,
} from './client-files.ts';
import type { FileEndpoint } from './file-endpoint.ts';

const UPLOADED_MEDIA_TYPES = Object.values(FILE_TYPES).map(({ mediaType }) => mediaType);

export const CLIENT_FILE_ENDPOINTS = {
  upload: {
    method: 'POST',
    path: CLIENT_FILE_UPLOAD_PATH,
    access: 'client.papers',
    summary: 'Upload a file for a client: PDF, PNG, JPEG, CSV, XLSX or DOCX, up to 10 MB. It can be opened once it has been scanned.',
    query: clientFileUploadQuery,
    body: 'file',
    response: uploadedFileOutput,
  },
  download: {
    method: 'GET',
    path: CLIENT_FILE_PATH,
    access: 'client.papers',
    summary: 'Download a client’s file',
    query: clientFileQuery,
    response: UPLOADED_MEDIA_TYPES,
  },
  uploadOfWork: {
    method: 'POST',
    path: WORK_FILE_UPLOAD_PATH,
    access: 'practice.work',
    summary: 'Upload a file for a task: PDF, PNG, JPEG, CSV, XLSX or DOCX, up to 10 MB',
    query: workFileUploadQuery,
    body: 'file',
    response: uploadedFileOutput,
  },
  downloadOfWork: {
    method: 'GET',
    path: WORK_FILE_PATH,
    access: 'practice.work',
    summary: 'Download a task’s file',
    query: workFileQuery,
    response: UPLOADED_MEDIA_TYPES,
  },
} as const satisfies Readonly<Record<string, FileEndpoint>>;
