/** Files belonging to a practice's clients and tasks: accepted types and file names. See docs/decisions/0062-clients-files.md. */

/** The accepted types, identified by content, with media type, file name extension and display name. */
export const FILE_TYPES = {
  pdf: { mediaType: 'application/pdf', ending: 'pdf', label: 'PDF' },
  png: { mediaType: 'image/png', ending: 'png', label: 'PNG' },
  jpeg: { mediaType: 'image/jpeg', ending: 'jpg', label: 'JPEG' },
  csv: { mediaType: 'text/csv', ending: 'csv', label: 'CSV' },
  xlsx: { mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', ending: 'xlsx', label: 'Excel' },
  docx: { mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', ending: 'docx', label: 'Word' },
} as const;
export type FileType = keyof typeof FILE_TYPES;
export const FILE_TYPE_KEYS = Object.keys(FILE_TYPES) as [FileType, ...FileType[]];

/** The maximum size of one file, in bytes. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;
/** The limits for one client, and for one task: the number of files and their total size in bytes. */
export const MAX_FILES = 1000;
export const MAX_TOTAL_FILE_BYTES = 1024 * 1024 * 1024;
/** The maximum length in characters, including the extension. */
export const MAX_FILE_NAME_LENGTH = 120;

/**
 * `quarantined`: the virus scanner hasn't responded yet, so the file can't be opened. `clean`: it can be opened. `infected`: its content is
 * deleted and only its name is kept.
 */
export const FILE_STATES = ['quarantined', 'clean', 'infected'] as const;
export type FileState = (typeof FILE_STATES)[number];

/** The folders for a client's files. */
export const FILE_FOLDERS = ['accounts', 'tax_returns', 'bookkeeping', 'payroll', 'letters', 'other'] as const;
export type FileFolder = (typeof FILE_FOLDERS)[number];

export const FILE_FOLDER_NAMES: Readonly<Record<FileFolder, string>> = {
  accounts: 'Accounts',
  tax_returns: 'Tax returns',
  bookkeeping: 'Bookkeeping',
  payroll: 'Payroll',
  letters: 'Letters',
  other: 'Other',
};

/** Returns the sender's name for the file, without folders or control characters and with the extension of its actual type. */
export function toFileName(givenName: string, type: FileType): string {
  const { ending } = FILE_TYPES[type];
  const [last = ''] = givenName.split(/[\\/]/).slice(-1);
  const printableName = last
    .normalize('NFC')
    // Control and format characters: those that reverse the text direction can hide an extension (CWE-451).
    .replaceAll(/[\p{Cc}\p{Cf}<>:"|?*]/gu, '')
    .replace(/^[\s.]+/, '')
    .trim();
  const isJpeg = type === 'jpeg' && /\.jpe?g$/i.test(printableName);
  const stem = isJpeg ? printableName.replace(/\.jpe?g$/i, '') : printableName.replace(/\.[\p{L}\p{N}]{1,5}$/u, '');
  return `${[...(stem.trim() || 'File')].slice(0, MAX_FILE_NAME_LENGTH - ending.length - 1).join('')}.${ending}`;
}
