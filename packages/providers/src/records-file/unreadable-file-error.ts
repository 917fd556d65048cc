/** Stops reading because the rest of the file can't be understood. */
export class UnreadableFileError extends Error {
  readonly line: number;
  readonly column: string;

  constructor(line: number, column: string, reason: string) {
    super(reason);
    this.name = 'UnreadableFileError';
    this.line = line;
    this.column = column;
  }
}
