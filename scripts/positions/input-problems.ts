/** Problems in an input file, each identified by the path of its value. */

/** A problem with one value: `field` is its path, for example `hmrc.vat_liabilities.liabilities[0].due`. */
export type InputProblem = { readonly field: string; readonly problem: string };

/** Thrown if the input file is rejected. Contains every problem found. */
export class InputError extends Error {
  readonly problems: readonly InputProblem[];

  constructor(problems: readonly InputProblem[]) {
    super(problems.map(({ field, problem }) => `${field}: ${problem}`).join('\n'));
    this.problems = problems;
  }
}

export function toPath(base: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => (typeof part === 'number' ? `${text}[${part}]` : `${text}.${String(part)}`), base);
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an object's properties, except null ones; undefined if the object is absent. Reports every unknown key. */
export function readMembers<Key extends string>(
  value: unknown,
  field: string,
  keys: readonly Key[],
  problems: InputProblem[],
): Partial<Record<Key, unknown>> | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) {
    problems.push({ field, problem: 'Enter an object.' });
    return undefined;
  }
  const members: Partial<Record<Key, unknown>> = {};
  for (const [name, member] of Object.entries(value)) {
    const key = keys.find((candidate) => candidate === name);
    if (key === undefined) problems.push({ field: toPath(field, [name]), problem: `This key isn’t known. Use ${keys.join(', ')}.` });
    else if (member !== null) members[key] = member;
  }
  return members;
}

/** Returns a cell from the file: JSON text, or a number as text. Undefined if it is empty; anything else is a problem. */
export function readCell(value: unknown, field: string, problems: InputProblem[]): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' && typeof value !== 'number') {
    problems.push({ field, problem: 'Enter text.' });
    return undefined;
  }
  const valueText = String(value).trim();
  return valueText === '' ? undefined : valueText;
}
