/** Detects an uploaded file's type from its content, because names and media types sent by browsers prove nothing. */
import type { FileType } from '@portal/domain/client-files/client-file.ts';
import { listZipEntries } from '../records-file/zip-entries.ts';
import { UnreadableFileError } from '../records-file/unreadable-file-error.ts';

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG_SIGNATURE = Buffer.from([0xff, 0xd8, 0xff]);
const ZIP = Buffer.from([0x50, 0x4b, 0x03, 0x04]);
const OLD_OFFICE_SIGNATURE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);
/** Readers accept the header within the first 1,024 bytes (PDF 1.7 reference, implementation note 13). */
const MAX_PDF_HEADER_OFFSET = 1024;

export type DetectedType = { readonly ok: true; readonly type: FileType } | { readonly ok: false; readonly reason: string };

const createRejection = (reason: string): DetectedType => ({ ok: false, reason });
const createDetection = (type: FileType): DetectedType => ({ ok: true, type });

export function detectFileType(bytes: Buffer): DetectedType {
  if (bytes.byteLength === 0) return createRejection('is empty');
  if (bytes.subarray(0, MAX_PDF_HEADER_OFFSET).includes('%PDF-')) return createDetection('pdf');
  if (startsWith(bytes, PNG_SIGNATURE)) return createDetection('png');
  if (startsWith(bytes, JPEG_SIGNATURE)) return createDetection('jpeg');
  if (startsWith(bytes, ZIP)) return detectOfficeFile(bytes);
  if (startsWith(bytes, OLD_OFFICE_SIGNATURE))
    return createRejection('is an old Office file or password-protected. Save it as XLSX, DOCX or PDF without a password');
  if (isHeic(bytes))
    return createRejection('is a HEIC photo. Send it as a JPEG: on an iPhone, choose Settings, Camera, Formats, Most Compatible');
  return isTable(bytes) ? createDetection('csv') : createRejection(NOT_ACCEPTED_MESSAGE);
}

const NOT_ACCEPTED_MESSAGE = 'isn’t a PDF, PNG, JPEG, CSV, XLSX or DOCX file';

const startsWith = (bytes: Buffer, magic: Buffer): boolean => bytes.subarray(0, magic.byteLength).equals(magic);

/** ISO 14496-12: the brand follows "ftyp". */
const isHeic = (bytes: Buffer): boolean => /^ftyp(heic|heix|mif1|msf1)/.test(bytes.toString('latin1', 4, 12));

/**
 * An Office Open XML file (ECMA-376) names its main part. A document with macros contains a part that other Word and Excel documents never
 * have.
 */
function detectOfficeFile(bytes: Buffer): DetectedType {
  try {
    const names = [...listZipEntries(bytes).keys()];
    if (names.some((name) => /(^|\/)vbaProject\.bin$/i.test(name)))
      return createRejection('contains macros. Save it without them, or as a PDF');
    if (!names.includes('[Content_Types].xml')) return createRejection('is a ZIP file. Unzip it and send the files inside');
    if (names.includes('xl/workbook.xml')) return createDetection('xlsx');
    if (names.includes('word/document.xml')) return createDetection('docx');
    return createRejection(NOT_ACCEPTED_MESSAGE);
  } catch (error) {
    if (error instanceof UnreadableFileError) return createRejection('is damaged. Save it again in the software that created it');
    throw error;
  }
}

/** Returns true for plain text whose first line has separated values. HTML and scripts don't pass as tables. */
function isTable(bytes: Buffer): boolean {
  const headerText = bytes.toString('latin1');
  // eslint-disable-next-line no-control-regex -- these are exactly the characters that text doesn't have
  if (/[\x00-\x08\x0b\x0e-\x1f\x7f]/.test(headerText)) return false;
  const [line = ''] = headerText.replace(/^\u00ef\u00bb\u00bf/, '').split(/\r?\n|\r/, 1);
  return /[,;\t|]/.test(line) && !/^\s*(<|#!|\{|\[)/.test(line);
}
