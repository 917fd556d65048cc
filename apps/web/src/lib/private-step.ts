/** Visitors can open the first step. Later steps load data that needs a session. */
const PRIVATE_STEP_PATH = /^\/v2\/(?:instant-vat\/(?:steps|signup)|open-tax\/steps)\/([^/]+)/;

/**
 * Returns whether a path below /portal is a step that needs a signed-in user although the page is public
 * (docs/product/specification.md section 2.5).
 */
export function isPrivateStep(path: string): boolean {
  const step = PRIVATE_STEP_PATH.exec(path)?.[1];
  return step !== undefined && step !== 'about';
}
