/** The first step is for visitors; whoever takes a later one is somebody: it asks for calls that need a session. */
const STEP = /^\/v2\/(?:instant-vat\/(?:steps|signup)|open-tax\/steps)\/([^/]+)/;

/** Whether a path below /portal is a step that only a signed-in person can take. The page itself is public (specification 2.5). */
export function isPrivateStep(path: string): boolean {
  const step = STEP.exec(path)?.[1];
  return step !== undefined && step !== 'about';
}
