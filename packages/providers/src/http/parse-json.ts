/** What a body says, or undefined where it is no JSON: the reader's schema then refuses it like any other wrong shape. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
