/** Returns the parsed body, or undefined if it isn't JSON. The schema then rejects undefined like any other wrong shape. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
