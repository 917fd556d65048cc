import pLimit from 'p-limit';

/** Runs work that parses a file, at most two at a time in this process: parsing takes processor time and, for a spreadsheet, memory. */
export const parseFile: <Result>(work: () => Promise<Result>) => Promise<Result> = pLimit(2);
