/** The parsed body, or undefined when it is not JSON. The schema then rejects it like any other wrong shape. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
